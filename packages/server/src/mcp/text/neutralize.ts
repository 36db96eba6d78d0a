/**
 * Ingested text as an agent may see it. What a terminal would obey and what a person reviewing the conversation could
 * not see is removed, inside emoji too; the record itself stays as it was sent. This is about visibility, not about
 * meaning: words that try to instruct are left in, fenced and flagged elsewhere.
 */
import { PLAIN_TEXT, replaceTerminalSequences, replaceUnseen, withLineFeeds } from '@tidemark/wire/text/stranger-text'

export function neutralize(text: string): string {
  if (PLAIN_TEXT.test(text)) return text
  const lines = withLineFeeds(replaceTerminalSequences(text))
  return replaceUnseen(lines, (one) => (/\p{Cs}/u.test(one) ? '\ufffd' : '')).normalize('NFC')
}

/** Every string and every key inside, at any depth. Plain data only. */
export function neutralizeDeep<T>(value: T): T {
  if (typeof value === 'string') return neutralize(value) as T
  if (Array.isArray(value)) return value.map((one) => neutralizeDeep(one)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [neutralize(key), neutralizeDeep(one)])) as T
}
