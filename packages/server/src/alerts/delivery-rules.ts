/** When something is sent, how much of it together, and when it is tried again. Pure: the clock comes from outside. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidemark/wire/time/units'
import type { AlertChannel, Together } from '../model/alert.ts'
import { backOffMs } from '../pause.ts'
import { isQuiet } from './quiet-hours.ts'

/** What begins in this time goes together, and by then more is known of its cause. */
export const SETTLE_MS = 15 * SECOND_MS

/** More at once are one message: nobody reads six. */
const MAX_APART = 5

/** After the first failure, then twice as long each time, up to the longest pause. */
const FIRST_RETRY_MS = 30 * SECOND_MS
const LONGEST_RETRY_MS = 2 * HOUR_MS
/** A failure after this time is the last one. */
const TRIED_FOR_MS = 24 * HOUR_MS
/** What a receiver may ask for at most. */
const LONGEST_ASKED_MS = HOUR_MS

type Packing = { channel: AlertChannel; waiting: number; held: Together | null; sentThisHour: number }

export function planPacking(
  { channel, waiting, held, sentThisHour }: Packing,
  nowMs: number,
): { wait: Together } | 'each' | { together: Together } {
  if (isQuiet(channel.quiet, nowMs)) return { wait: 'quiet' }
  const room = channel.messagesAnHour - sentThisHour
  if (room <= 0) return { wait: 'many' }
  if (waiting === 1) return 'each'
  if (held !== null) return { together: held }
  return waiting > Math.min(room, MAX_APART) ? { together: 'many' } : 'each'
}

/** Null when it has failed for long enough. `attempts`: those that have failed, this one included. */
export function nextTryAt(
  { attempts, firstTryAtMs, retryAfterMs }: { attempts: number; firstTryAtMs: number; retryAfterMs: number | null },
  nowMs: number,
): number | null {
  if (nowMs - firstTryAtMs >= TRIED_FOR_MS) return null
  const pauseMs = backOffMs(attempts, FIRST_RETRY_MS, LONGEST_RETRY_MS)
  return nowMs + Math.max(pauseMs, Math.min(retryAfterMs ?? 0, LONGEST_ASKED_MS))
}

/** Longer than a message may take to be written and sent. */
export const LEASE_MS = 3 * MINUTE_MS
