/**
 * The key in `[tidemark@32473 key="…" …]`, taken out of the message before anything else is done with it, so that keeping
 * or logging what is left cannot give the key away.
 */
import { readHeader } from './header.ts'
import { readStructuredData } from './structured-data.ts'

/** The number is that of RFC 5612 for documentation: any is understood, as is none. */
const OWN_ID = /^tidemark(?:@\d{1,10}(?:\.\d{1,10}){0,8})?$/

type TakenKey = { key: string | null; message: Buffer }

/** True for the element that holds our own parameters. */
export function isOwnElement(id: string): boolean {
  return OWN_ID.test(id)
}

/** Null when the message has two different keys, or structured data in which none can be looked for. */
export function takeKey(message: Buffer): TakenKey | null {
  const header = readHeader(message)
  if (header === null) return { key: null, message }
  const data = readStructuredData(message, header.end)
  if (data === null) return null
  const params = data.elements.filter(({ id }) => isOwnElement(id)).flatMap(({ params }) => params)
  const keys = params.filter(({ name }) => name === 'key')
  if (new Set(keys.map(({ value }) => value)).size > 1) return null
  const parts: Buffer[] = []
  let kept = 0
  for (const { from, to } of keys) {
    parts.push(message.subarray(kept, from))
    kept = to
  }
  return { key: keys[0]?.value ?? null, message: Buffer.concat([...parts, message.subarray(kept)]) }
}
