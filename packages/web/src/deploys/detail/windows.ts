/** How the records before and after a deploy differ, as words beside the numbers. They describe; the verdict decides. */

import type { VerdictWindow } from '@tidemark/wire/deploys/verdict'
import { amountWords } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import { directionOf } from '../../text/rate-words.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { secondsOf } from '../verdict-words.ts'

type Counts = VerdictWindow['after']

/** A window that ends this near to the answer ended with the question: the deploy runs on. Answers may take a minute. */
const STILL_RUNNING_MS = 5 * MINUTE_MS

export function isStillRunning({ to }: Pick<Counts, 'to'>, answeredMs: number): boolean {
  return answeredMs - Date.parse(to) < STILL_RUNNING_MS
}

export function errorShareWords({ records, errors }: Counts): string {
  return records === 0 ? '–' : shareWords(errors / records)
}

type ShareChange = { words: string; isRise: boolean }

export function shareChange({ before, after }: Pick<VerdictWindow, 'before' | 'after'>): ShareChange {
  const same = (words: string) => ({ words, isRise: false })
  if (before.records === 0 || after.records === 0) return same('Nothing to compare')
  if (before.errors === 0 && after.errors === 0) return same('No errors')
  if (after.errors === 0) return same('No more errors')
  if (before.errors === 0) return { words: 'No errors before', isRise: true }
  const ratio = (after.errors * before.records) / (before.errors * after.records)
  switch (directionOf(ratio)) {
    case 'rose':
      return { words: `${amountWords(ratio)} times the share`, isRise: true }
    case 'fell':
      return same(`Fell to ${shareWords(ratio)}`)
    case 'same':
      return same('About the same')
  }
}

type Told = { answeredMs: number; isAwaited: boolean }

/** Why the time after it is shorter than the one before; null where it is not. What is waited for is still running. */
export function shorterWords(
  { minutes, after }: Omit<VerdictWindow, 'before'>,
  { answeredMs, isAwaited }: Told,
): string | null {
  const seconds = secondsOf(after)
  if (seconds >= minutes * 60) return null
  const isRunning = isAwaited || isStillRunning(after, answeredMs)
  return isRunning ? `${formatElapsed(seconds)} so far` : `${formatElapsed(seconds)}, then it was replaced`
}
