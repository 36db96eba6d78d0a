/**
 * Ingested text as an agent may see it. What a terminal would obey and what a person reviewing the conversation could
 * not see is taken out; the record itself stays as it was sent. This is about visibility, not about meaning: words that
 * try to instruct are left in, fenced and flagged elsewhere.
 */

/**
 * OSC, DCS, PM, APC and SOS strings with their content (links, titles, clipboard writes), then CSI, then short escapes.
 * A string that never ends loses only its beginning: otherwise one stray byte would hide the rest of a record.
 */
const TERMINAL_SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g
const LINE_ENDS = /\r\n?|\u2028|\u2029|\x85/g
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
/** Soft hyphen, joiners, fillers, bidirectional marks and overrides, variation selectors, tag characters and the like. */
const INVISIBLE =
  /\xad|\u034f|\u061c|[\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180f]|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u206f]|\u3164|[\ufe00-\ufe0f]|\ufeff|\uffa0|[\ufff0-\ufffb]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/gu
const LONE_SURROGATES = /\p{Cs}/gu
const PLAIN = /^[\t\n\x20-\x7e]*$/

export function neutralize(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(TERMINAL_SEQUENCES, '')
    .replace(LINE_ENDS, '\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .normalize('NFC')
}

/** Every string and every key inside, at any depth. Plain data only. */
export function neutralizeDeep<T>(value: T): T {
  if (typeof value === 'string') return neutralize(value) as T
  if (Array.isArray(value)) return value.map((one) => neutralizeDeep(one)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [neutralize(key), neutralizeDeep(one)])) as T
}
