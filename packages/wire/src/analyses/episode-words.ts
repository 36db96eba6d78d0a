/** How an episode began, in the words that summaries, lists, changes, verdicts, agents and the page share. */
import { formatElapsed } from '../time/elapsed.ts'
import type { EPISODE_BEGINNINGS } from './analysis-state.ts'

type EpisodeBegan = (typeof EPISODE_BEGINNINGS)[number]

/** After what happened: `37 errors, after a quiet time`. */
export const SINCE_WORDS: Record<EpisodeBegan, string> = {
  first: 'for the first time',
  resolved: 'after it was resolved',
  quiet: 'after a quiet time',
}

/** As what happened: `came back after a quiet time of 10 d`, where it is known how long that was. */
export function episodeWords(began: EpisodeBegan, quietSeconds: number | null = null): string {
  if (began === 'first') return `seen ${SINCE_WORDS.first}`
  const length = began === 'quiet' && quietSeconds !== null ? ` of ${formatElapsed(quietSeconds)}` : ''
  return `came back ${SINCE_WORDS[began]}${length}`
}
