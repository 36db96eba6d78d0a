/**
 * One request to the service, sent again while that can help: when the network fails and when the service says that it is
 * worth it. `Retry-After` is obeyed. Redirects are refused rather than followed, because they would carry the key along.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '@tidemark/wire/parse-json'
import { RETRYABLE_STATUSES, retryAfterMs } from '@tidemark/wire/retryable'
import { ClientError } from './client-error.ts'
import { ADDRESS_SETTING } from './connection.ts'

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

type Sent = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  signal?: AbortSignal
}

export type Retrying = {
  /** No new attempt begins this long after the first. */
  patienceMs?: number
  attemptMs?: number
  /** With the sentence that says why, and when it is tried again. */
  onWait?: (sentence: string, waitMs: number) => void
  now?: () => number
  pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

const FIRST_WAIT_MS = 500
const LONGEST_BACKOFF_MS = 15_000
/** The CI steps, which are shell, have a copy. */
export const PATIENCE_MS = 60_000
const DEFAULTS = {
  patienceMs: PATIENCE_MS,
  attemptMs: 60_000,
  now: () => performance.now(),
  pause: (ms: number, signal: AbortSignal | undefined) => sleep(ms, undefined, { signal }),
}

/** The last answer, whatever its status. Throws when there was none. */
export async function request(sent: Sent, retrying: Retrying = {}): Promise<Answer> {
  const { patienceMs, attemptMs, onWait, now, pause } = { ...DEFAULTS, ...retrying }
  const startedMs = now()
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(sent, attemptMs)
    const isFinal = 'status' in outcome && !RETRYABLE_STATUSES.includes(outcome.status)
    if (isFinal) return outcome
    const askedMs = 'status' in outcome ? retryAfterMs(outcome.headers.get('retry-after')) : null
    const waitMs = Math.max(askedMs ?? 0, growingWaitMs(attempt))
    // Also a service that asks for a longer pause.
    if (now() - startedMs + waitMs > patienceMs) {
      if ('status' in outcome) return outcome
      throw unreachable(sent.url, outcome)
    }
    onWait?.(`The service ${why(outcome)}; trying again in ${Math.ceil(waitMs / 1_000)} s.`, waitMs)
    await pause(waitMs, sent.signal)
  }
}

async function attemptOnce({ url, signal, ...rest }: Sent, attemptMs: number): Promise<Answer | Error> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(attemptMs)
  try {
    const response = await fetch(url, {
      ...rest,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof Error ? error : new Error(String(error))
  }
}

function why(outcome: Answer | Error): string {
  return 'status' in outcome ? `answered ${outcome.status}` : `cannot be reached (${reasonOf(outcome)})`
}

/** With jitter, so that many senders do not come back at the same moment. */
export function growingWaitMs(attempt: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.75 + Math.random() * 0.5)
}

function unreachable(url: string, cause: Error): ClientError {
  const message = `${new URL(url).origin} cannot be reached (${reasonOf(cause)}): check ${ADDRESS_SETTING} and that the service is running.`
  return new ClientError('unreachable', message, { cause })
}

/** What fetch hides behind "fetch failed". */
export function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'no answer in time'
  const cause = error.cause as { code?: string; message?: string } | undefined
  return cause?.code ?? cause?.message ?? error.message
}
