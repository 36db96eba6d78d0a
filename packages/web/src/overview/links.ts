/** Where the numbers lead: to the same window of the other pages, whose own windows are shorter or longer. */

import { AT_LEAST_ERROR } from '@tidemark/wire/level'
import { addTerm } from '@tidemark/wire/query/edit'
import { fieldNamed } from '@tidemark/wire/query/fields'
import type { SilentService } from '@tidemark/wire/reading/overview'
import { SILENCE_SLICE_US } from '@tidemark/wire/reading/silence'
import { HOUR_MS } from '@tidemark/wire/time/units'

/** As it is in the address, relative times kept relative. */
export type Asked = { environment: string | undefined; from: string; to: string | undefined }

/** Of level error or fatal: what is counted as an error everywhere. */
export const ERRORS = `level:${AT_LEAST_ERROR}`
const WITHOUT_SERVICE = '-has:service'
/** Before a service fell silent, enough to see what it did last. */
const LAST_WORDS_MS = HOUR_MS
/** As far past the end as it may be wrong. */
const PAST_END_MS = SILENCE_SLICE_US / 1_000

export function logsSearch(asked: Asked, ...terms: readonly string[]) {
  return { ...asked, query: terms.join(' ') || undefined }
}

export function serviceTerm(service: string): string {
  return service === '' ? WITHOUT_SERVICE : addTerm('', { field: fieldNamed('service'), value: service })
}

export function lastWordsSearch({ service, environment, lastSeen }: SilentService) {
  const at = Date.parse(lastSeen)
  const [from, to] = [at - LAST_WORDS_MS, at + PAST_END_MS].map((timeMs) => new Date(timeMs).toISOString()) as [
    string,
    string,
  ]
  return logsSearch({ environment, from, to }, serviceTerm(service))
}
