/** When an analysis began beside a deploy, in words that a verdict, a list of changes and a page share. */
import { episodeWords } from '../analyses/episode-words.ts'
import { formatElapsed } from '../time/elapsed.ts'
import type { DeployAnalysis } from './verdict.ts'

export const BEGAN_WORDS: Record<DeployAnalysis['began'], string> = {
  first: 'began',
  resolved: `${episodeWords('resolved')},`,
  quiet: 'came back',
  grew: 'grew from',
}

/** `4 min 12 s after it`. Errors from before it are of a deploy that was recorded only when it had gone live. */
export function besideDeploy(seconds: number): string {
  return seconds < 0 ? `${formatElapsed(-seconds)} before it was recorded` : `${formatElapsed(seconds)} after it`
}
