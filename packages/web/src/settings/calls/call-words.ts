/** Calls in words. */

import type { Call, CallsOfKey } from '@tidemark/wire/people/call'
import { withCommas } from '@tidemark/wire/text/counted'
import { capitalised } from '../../text/capitalised.ts'
import { unbroken } from '../../text/unbroken.ts'

const KINDS: Record<string, string> = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
  'completion/complete': 'completion',
}

/** `tool`, `prompt` …: what kind of thing was called. */
export function kindOf({ method }: Pick<Call, 'method'>): string {
  return KINDS[method] ?? method
}

/** `Rate limited` for `rate_limited`. */
export function errorWords(code: string): string {
  return capitalised(code.replaceAll('_', ' '))
}

/** A call of 0 ms took less than half of one. */
export function tookWords(ms: number): string {
  if (ms < 1) return unbroken('< 1 ms')
  return unbroken(ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)
}

/** `10,000+` where older calls were forgotten because there were too many. */
export function countWords(calls: number, { cutBefore }: Pick<CallsOfKey, 'cutBefore'>, sinceMs: number): string {
  const isCut = cutBefore !== null && Date.parse(cutBefore) > sinceMs
  return `${withCommas(calls)}${isCut ? '+' : ''}`
}

/** Whichever is later: a call is recorded after a second, the last use of its key after a minute. */
export function lastUse(lastUsedAt: string | null, lastCallAt: string | undefined): string | null {
  const times = [lastUsedAt, lastCallAt].filter((time) => typeof time === 'string')
  return times.sort().at(-1) ?? null
}
