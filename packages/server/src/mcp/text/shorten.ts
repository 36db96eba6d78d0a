/**
 * The budget of an answer. Text is shortened in steps, the same for every row, and rows go last; whatever is done is
 * stated in words. Lengths are counted in characters, four to a token.
 */

import { isObject } from '@tidemark/wire/is-object'
import { withCommas } from '@tidemark/wire/text/counted'
import { cutToUnits } from '@tidemark/wire/text/cut-text'

export const DEFAULT_MAX_TOKENS = 6_000
export const MAX_TOKENS = 20_000
/** Below this there is no room even for the frame of an answer. */
export const MIN_TOKENS = 1_000
export const CHARACTERS_PER_TOKEN = 4

/** In a step of shortening: nothing is left out of this. */
export const ALL = Number.POSITIVE_INFINITY

/** What is kept of one record: characters of its message and of its stack, attributes, characters of each value. */
export type Detail = { message: number; stack: number; attributes: number; value: number }

/** From whole to bare. `null` is the record as it is. */
export const DETAILS: readonly (Detail | null)[] = [
  null,
  { message: 8_000, stack: 8_000, attributes: 128, value: 1_000 },
  { message: 3_000, stack: 4_000, attributes: 64, value: 400 },
  { message: 1_000, stack: 2_000, attributes: 32, value: 200 },
  { message: 500, stack: 1_000, attributes: 16, value: 100 },
  { message: 250, stack: 500, attributes: 8, value: 60 },
  { message: 120, stack: 250, attributes: 4, value: 40 },
  { message: 120, stack: 0, attributes: 0, value: 0 },
]

export function detailNote(detail: Detail | null): string[] {
  if (detail === null) return []
  const { message, attributes, value } = detail
  const kept =
    attributes === 0
      ? 'attributes are left out'
      : `at most ${attributes} attributes of ${withCommas(value)} characters are shown`
  return [`To fit maxTokens, texts are shortened to ${withCommas(message)} characters, ${LINKS_LEFT_OUT} and ${kept}.`]
}

/** See `wholeOrNone`. */
export const LINKS_LEFT_OUT = 'long links and queries are left out'
export const TEXTS_SHORTENED = `To fit maxTokens, texts are shortened, and ${LINKS_LEFT_OUT}.`

/** Ends with how much is missing. A text that is no longer than what would be left of it stays whole. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = cutToUnits(text, most)
  const short = `${kept}… (+${withCommas(text.length - kept.length)} characters)`
  return short.length < text.length ? short : text
}

/** Hashes have at most 64 characters and stay whole, to be passed on; anything longer is somebody's text. */
export function shortenRevision(sha: string, most: number): string {
  return shortenText(sha, Math.max(most, 64))
}

/** Half a query finds something else and half a link leads nowhere: one that is too long goes. */
export function wholeOrNone(text: string | null, most: number): string | null {
  return text !== null && text.length <= most ? text : null
}

type Scalar = string | number | boolean | null

export function shortenAttributes<T extends Scalar>(
  attributes: Record<string, T>,
  detail: Detail | null,
): { attributes: Record<string, T | string>; dropped: number } {
  if (detail === null) return { attributes, dropped: 0 }
  const entries = Object.entries(attributes)
  const kept = entries
    .slice(0, detail.attributes)
    .map(([key, value]): [string, T | string] => [
      key,
      typeof value === 'string' ? shortenText(value, detail.value) : value,
    ])
  return { attributes: Object.fromEntries(kept), dropped: entries.length - kept.length }
}

/** A quick no: whether the strings inside alone are longer than the budget. Stops as soon as it knows. */
export function isLongerThan(value: unknown, characters: number): boolean {
  let left = characters
  const visit = (one: unknown): boolean => {
    if (typeof one === 'string') left -= one.length
    else if (Array.isArray(one)) for (const item of one) if (visit(item)) return true
    if (isObject(one)) {
      for (const [key, item] of Object.entries(one)) {
        left -= key.length
        if (visit(item)) return true
      }
    }
    return left < 0
  }
  return visit(value)
}

/** The first of `count` steps that fits, given that each is shorter than the one before; null when none does. */
export function firstThatFits(count: number, fits: (step: number) => boolean): number | null {
  if (fits(0)) return 0
  let low = 1
  let found: number | null = null
  for (let high = count - 1; low <= high; ) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) {
      found = middle
      high = middle - 1
    } else low = middle + 1
  }
  return found
}

/** The largest count from 0 to `most` that fits, given that a smaller one always fits better. */
export function largestThatFits(most: number, fits: (count: number) => boolean): number {
  let low = 0
  let high = most
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}
