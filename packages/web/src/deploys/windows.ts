/** How the records before and after a deploy differ, as words beside the numbers. They describe; the verdict decides. */

import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { VerdictWindow } from '@tidemark/wire/verdict'
import { secondsOf } from './verdict-words.ts'

type Counts = VerdictWindow['after']

/** Below and above this the share of errors counts as changed. */
const FELL = 0.67
const ROSE = 1.5
/** A window that ends this near to the answer ended with the question: the deploy runs on. Answers may take a minute. */
const STILL_RUNNING_MS = 5 * MINUTE_MS

export function shareWords({ records, errors }: Counts): string {
  if (records === 0) return '–'
  const percent = (errors / records) * 100
  if (percent > 0 && percent < 0.01) return '< 0.01 %'
  return `${percent.toLocaleString('en-US', { maximumFractionDigits: percent < 1 ? 2 : percent < 10 ? 1 : 0 })} %`
}

export type Change = { words: string; isRise: boolean }

export function changeOf({ before, after }: Pick<VerdictWindow, 'before' | 'after'>): Change {
  const same = (words: string) => ({ words, isRise: false })
  if (before.records === 0 || after.records === 0) return same('Nothing to compare')
  if (before.errors === 0 && after.errors === 0) return same('No errors')
  if (after.errors === 0) return same('No more errors')
  if (before.errors === 0) return { words: 'No errors before', isRise: true }
  const ratio = (after.errors * before.records) / (before.errors * after.records)
  if (ratio >= ROSE) return { words: `${timesWords(ratio)} times the share`, isRise: true }
  return same(ratio <= FELL ? `Fell to ${Math.round(ratio * 100)} %` : 'About the same')
}

function timesWords(ratio: number): string {
  return ratio.toLocaleString('en-US', { maximumFractionDigits: ratio < 10 ? 1 : 0 })
}

type Told = { answeredMs: number; isAwaited: boolean }

/** Why the time after it is shorter than the one before; null where it is not. What is waited for is still running. */
export function shorterWords(
  { minutes, after }: Omit<VerdictWindow, 'before'>,
  { answeredMs, isAwaited }: Told,
): string | null {
  const seconds = secondsOf(after)
  if (seconds >= minutes * 60) return null
  const isRunning = isAwaited || answeredMs - Date.parse(after.to) < STILL_RUNNING_MS
  return isRunning ? `${formatElapsed(seconds)} so far` : `${formatElapsed(seconds)}, then it was replaced`
}
