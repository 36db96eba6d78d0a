import { type JsonScan, quoteChangedNumbers } from '../../bytes/scan-json.ts'

/** The JSON in bytes that were scanned; undefined when they are not JSON, which no JSON value is. */
export function parseChecked(bytes: Uint8Array, scan: JsonScan): unknown {
  try {
    return JSON.parse(checkedText(bytes, scan))
  } catch {
    return undefined
  }
}

/** Text in which no number is changed by being parsed. */
export function checkedText(bytes: Uint8Array, { hasDoubtfulNumbers }: JsonScan): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  return hasDoubtfulNumbers ? quoteChangedNumbers(text) : text
}
