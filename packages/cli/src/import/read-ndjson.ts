import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '../parse-json.ts'
import { completeRecord } from './complete-record.ts'
import type { Defaults, Entry } from './entry.ts'
import { MAX_LINE_BYTES, readLines } from './read-lines.ts'

export async function* readNdjson(bytes: AsyncIterable<Buffer>, defaults: Defaults): AsyncGenerator<Entry> {
  for await (const { text, number, endOffset, isCut } of readLines(bytes)) {
    if (text.trim() === '') continue
    const at = { line: number, endOffset }
    if (isCut) yield { ...at, problem: tooLong('The line') }
    else yield { ...at, ...entryOf(text, defaults, 'The line') }
  }
}

/** `text` is one JSON value, without line ends outside of it. */
export function entryOf(
  text: string,
  defaults: Defaults,
  what: string,
): { json: string; day: string } | { problem: string } {
  const value = parseJson(text)
  if (value === undefined) return { problem: `${what} is not valid JSON.` }
  if (!isObject(value)) return { problem: `${what} is not a JSON object.` }
  return completeRecord(text, value, defaults)
}

export function tooLong(what: string): string {
  return `${what} is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB.`
}
