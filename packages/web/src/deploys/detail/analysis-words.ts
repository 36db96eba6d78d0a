/** What is said of an analysis beside a deploy: when it began, and whether the deploy is why. */

import { causedWords } from '@tidemark/wire/analyses/cause-words'
import { BEGAN_WORDS, besideDeploy } from '@tidemark/wire/deploys/beside-deploy'
import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import { capitalised } from '../../text/capitalised.ts'
import { unbroken } from '../../text/unbroken.ts'
import { formatElapsed } from '../../time/elapsed.ts'

type Times = Pick<DeployAnalysis, 'began' | 'onset' | 'end'>

/** `Began 4 min 12 s after it`; of one that ended, when its last error was. */
export function whenWords({ began, onset, end }: Times, deployedAt: string, hasEnded: boolean): string {
  if (!hasEnded) return capitalised(`${BEGAN_WORDS[began]} ${unbroken(besideDeploy(secondsAfter(onset, deployedAt)))}`)
  if (end === null) return 'Ended with it'
  const seconds = secondsAfter(end, deployedAt)
  return seconds < 0
    ? `Last error ${formatElapsed(-seconds)} before it`
    : `Last error ${formatElapsed(seconds)} after it`
}

/** An error with no known cause is not said to be unrelated: nobody knows. */
export function blameWords({
  countsAgainst,
  likelyCause,
}: Pick<DeployAnalysis, 'countsAgainst' | 'likelyCause'>): string {
  if (countsAgainst) return `${causedWords(likelyCause?.confidence)} this deploy`
  if (likelyCause === null) return 'Open it to see its cause'
  return likelyCause.kind === 'unknown' ? likelyCause.title : 'Probably unrelated to this deploy'
}

function secondsAfter(at: string, deployedAt: string): number {
  return (Date.parse(at) - Date.parse(deployedAt)) / 1_000
}
