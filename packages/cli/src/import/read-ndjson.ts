import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '@tidemark/wire/parse-json'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { completeRecord } from './complete-record.ts'
import type { Defaults, Entry } from './entry.ts'
import { MAX_LINE_BYTES, readLines } from './read-lines.ts'

export type Mapped = { json: string; day: string } | { problem: string }

/** What becomes of one object. `text` is its JSON, on one line. */
type MapObject = (text: string, value: Record<string, unknown>, defaults: Defaults) => Mapped

export async function* readNdjson(
  bytes: AsyncIterable<Buffer>,
  defaults: Defaults,
  map: MapObject = completeRecord,
): AsyncGenerator<Entry> {
  for await (const { text, number, endOffset, isCut } of readLines(bytes)) {
    if (text.trim() === '') continue
    const at = { line: number, endOffset }
    if (isCut) yield { ...at, problem: tooLong('The line') }
    else yield { ...at, ...entryOf(text, defaults, 'The line', map) }
  }
}

/** `text` is one JSON value, without line ends outside of it. */
export function entryOf(text: string, defaults: Defaults, what: string, map: MapObject = completeRecord): Mapped {
  const value = parseJson(text)
  if (value === undefined) return { problem: `${what} is not valid JSON.` }
  if (!isObject(value)) return { problem: `${what} is not a JSON object.` }
  return map(text, value, defaults)
}

export function tooLong(what: string): string {
  return `${what} is longer than ${sizeWords(MAX_LINE_BYTES)}.`
}
