import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET } from '../../bytes/json-bytes.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../bytes/limits.ts'
import { measureJson } from '../../bytes/scan-json.ts'
import { MAX_RECORDS } from '../limits.ts'
import type { FastRecords } from '../record/record-sink.ts'
import { endOfObject, endOfPlainText, skipSpace } from './json-places.ts'
import { parseChecked } from './parse-checked.ts'

type Elements = {
  fast: FastRecords
  /** `projectApiKey` of the object around the list. */
  projectKey: (key: string) => void
  /** A record was taken the fast way. */
  taken: () => void
  /** One that has to be read the plain way. Its texts may need cleaning. */
  entry: (value: unknown, index: number, hasSuspectEscapes: boolean) => void
}

/**
 * A document that is nothing but a list of records, alone or as the `logs` of an object, read one by one: those that are
 * unusual are parsed by themselves. Returns how many there were. Null for all other documents, broken ones and those past a
 * limit included: they are read as a whole, and what was taken until then must be forgotten.
 */
export function readArray(bytes: Uint8Array, { fast, projectKey, taken, entry }: Elements): number | null {
  const start = skipSpace(bytes, 0)
  const isObject = bytes[start] === OPEN_BRACE
  let at = isObject ? startOfLogs(bytes, start, projectKey) : start
  if (bytes[at] !== OPEN_BRACKET) return null
  const depthAround = isObject ? 2 : 1
  let index = 0
  let values = isObject ? MOST_VALUES_BEFORE_LOGS : 1
  for (;;) {
    at = skipSpace(bytes, at + 1)
    const end = fast.read(bytes, at)
    if (end > 0) {
      values += fast.values
      fast.take()
      taken()
      at = end
    } else {
      const objectEnd = endOfObject(bytes, at)
      if (objectEnd === 0) return null
      const object = bytes.subarray(at, objectEnd)
      const scan = measureJson(object, values)
      values = scan.values
      const isTooMuch = values > MAX_JSON_VALUES || scan.depth + depthAround > MAX_JSON_DEPTH
      const value = isTooMuch ? undefined : parseChecked(object, scan)
      if (value === undefined) return null
      entry(value, index, scan.hasSuspectEscapes)
      at = objectEnd
    }
    if (values > MAX_JSON_VALUES) return null
    index++
    at = skipSpace(bytes, at)
    if (bytes[at] !== COMMA) break
    values++
    if (index >= MAX_RECORDS) return null
  }
  if (bytes[at] !== CLOSE_BRACKET) return null
  at = skipSpace(bytes, at + 1)
  if (isObject) at = bytes[at] === CLOSE_BRACE ? skipSpace(bytes, at + 1) : 0
  return at === bytes.length ? index : null
}

/** A brace, a comma after the key, and a bracket. One too many only means that the document is read as a whole. */
const MOST_VALUES_BEFORE_LOGS = 3

/** Where the value of `logs` begins in an object that has nothing else before it than a key; 0 in others. */
function startOfLogs(bytes: Uint8Array, start: number, projectKey: Elements['projectKey']): number {
  const first = skipSpace(bytes, start + 1)
  const key = behindName(bytes, first, PROJECT_KEY)
  if (key === 0) return behindName(bytes, first, LOGS)
  const keyEnd = endOfPlainText(bytes, key)
  if (keyEnd === 0) return 0
  projectKey(Buffer.from(bytes.buffer, bytes.byteOffset + key + 1, keyEnd - key - 2).toString())
  const comma = skipSpace(bytes, keyEnd)
  return bytes[comma] === COMMA ? behindName(bytes, skipSpace(bytes, comma + 1), LOGS) : 0
}

const PROJECT_KEY = Buffer.from('"projectApiKey"')
const LOGS = Buffer.from('"logs"')

/** Where the value begins whose name, with its quotes, stands at `start`; 0 when another does. */
function behindName(bytes: Uint8Array, start: number, name: Uint8Array): number {
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name[at]) return 0
  const colon = skipSpace(bytes, start + name.length)
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : 0
}
