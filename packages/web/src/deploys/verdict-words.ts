/** What a verdict says, in the words of the pages: one sentence, and the numbers of a row. */

import { type DeployStatus, OUTCOME_WORDS } from '@tidemark/wire/deploys/deploy-status'
import type { VerdictWindow } from '@tidemark/wire/deploys/verdict'
import type { DeployDetailAnswer, ListedDeploy } from '@tidemark/wire/reading/deploys'
import { amountWords, counted, withCommas } from '@tidemark/wire/text/counted'
import { HOUR_MS, SECOND_MS } from '@tidemark/wire/time/units'
import { formatAgo, formatElapsed } from '../time/elapsed.ts'

type Judged = Pick<DeployDetailAnswer, 'deploy' | 'verdict' | 'checkAgainAt' | 'windows' | 'introduced' | 'regressed'>

export function verdictSentence(judged: Judged, nowMs: number): string {
  const { deploy, verdict, introduced, regressed } = judged
  switch (verdict) {
    case null:
      return neverLiveWords(deploy.status)
    case 'bad':
      return 'This deploy very likely did harm.'
    case 'suspect':
      return 'There are signs that this deploy did harm, though they may have another cause.'
    case 'too_early':
      return earlyWords(judged, nowMs)
    case 'good':
      return [...introduced, ...regressed].some(({ countsAgainst }) => countsAgainst)
        ? 'There is too little evidence against this deploy to call it harmful.'
        : 'This deploy looks good.'
  }
}

/** A deploy that is long live is not young because the log store does not answer. */
function earlyWords({ deploy, checkAgainAt, windows }: Judged, nowMs: number): string {
  if (checkAgainAt === null) return 'Too little was logged to judge this deploy.'
  const isUnread = windows.length === 0 && Date.parse(deploy.deployedAt) <= nowMs
  return isUnread ? 'Tidemark cannot tell right now.' : 'It is too early to tell.'
}

function neverLiveWords(status: DeployStatus): string {
  return `This deploy ${OUTCOME_WORDS[status]} and never went live, so it is not on the timeline of the logs and no errors are attributed to it.`
}

/** `Verdict expected in 12 min`; null where there is one already, or never will be. */
export function expectedWords(checkAgainAt: string | null, nowMs: number): string | null {
  return checkAgainAt === null ? null : `Verdict expected ${formatAgo(later(checkAgainAt, nowMs), nowMs)}`
}

/** The page refreshes at that time: until the answer is here, it is now. */
const later = (at: string, nowMs: number) => new Date(Math.max(Date.parse(at), nowMs)).toISOString()

type Errors = { comparison: string; note: string | null; whole: string }

type Compared = Pick<ListedDeploy, 'before' | 'after'> & Partial<Pick<ListedDeploy, 'verdict' | 'checkAgainAt'>>

/**
 * Errors an hour before and after a deploy: of the hour on either side, or of as long as it ran, which would make a count look
 * like a fall. Null where nothing is known of the records. While it is too early to judge it, nothing is compared.
 */
export function errorsWords({ before, after, verdict, checkAgainAt = null }: Compared): Errors | null {
  if (before === null || after === null) return null
  if (before.records === 0 && after.records === 0) {
    return { comparison: 'No records', note: null, whole: 'Nothing was logged in the hour before it, nor since.' }
  }
  const span = formatElapsed(secondsOf(after))
  const whole = `${counted(before.errors, 'error')} in ${formatElapsed(secondsOf(before))} before it, ${withCommas(after.errors)} in ${span} after it`
  if (verdict === 'too_early' && secondsOf(after) < secondsOf(before)) {
    const isOver = checkAgainAt === null
    const soFar = `${counted(after.errors, 'error')} in ${span}${isOver ? '' : ' so far'}`
    const whole = `${soFar}: too short to compare with the ${formatElapsed(secondsOf(before))} before it.`
    return { comparison: isOver ? 'Too short to compare' : 'Too early to compare', note: null, whole }
  }
  const hasNone = before.errors === 0 && after.errors === 0
  const comparison = hasNone ? 'No errors' : `${perHour(before)} → ${perHour(after)} errors an hour`
  return { comparison, note: secondsOf(after) < secondsOf(before) ? `${hasNone ? 'in' : 'over'} ${span}` : null, whole }
}

function perHour(window: VerdictWindow['after']): string {
  const seconds = secondsOf(window)
  return amountWords(seconds > 0 ? (window.errors * HOUR_MS) / (seconds * SECOND_MS) : 0)
}

export function secondsOf({ from, to }: VerdictWindow['after']): number {
  return (Date.parse(to) - Date.parse(from)) / 1_000
}
