/** RFC 5424's `[id name="value" …][id …]`, read byte by byte: values may hold what is no UTF-8, and none is looked at twice. */
import { MAX_ATTRIBUTES } from '../limits.ts'

/** What of Node's `Buffer` reading needs, which is not in every place that this package is. */
export type SyslogBytes = {
  readonly length: number
  readonly [at: number]: number
  indexOf(byte: number, from: number): number
  toString(encoding: 'utf8' | 'latin1', from: number, to?: number): string
}

type Param = {
  name: string
  value: string /** Where it stands, with the space before it. */
  from: number
  to: number
}
export type SyslogElement = { id: string; params: Param[] }
type StructuredData = { elements: SyslogElement[] /** Just after the last byte. */; end: number }

/** Null when it is not well formed, or has more than a record can hold. */
export function readStructuredData(bytes: SyslogBytes, at: number): StructuredData | null {
  if (bytes[at] === HYPHEN) return { elements: [], end: at + 1 }
  const elements: SyslogElement[] = []
  let params = 0
  let next = at
  while (bytes[next] === OPENING) {
    const element = readElement(bytes, next + 1)
    if (element === null) return null
    params += 1 + element.params.length
    if (params > MAX_ATTRIBUTES) return null
    elements.push({ id: element.id, params: element.params })
    next = element.end
  }
  return elements.length === 0 ? null : { elements, end: next }
}

/** The number is that of RFC 5612 for documentation: any is understood, as is none. */
const OWN_ID = /^tidemark(?:@\d{1,10}(?:\.\d{1,10}){0,8})?$/

/** True for the element that holds our own parameters. */
export function isOwnElement({ id }: Pick<SyslogElement, 'id'>): boolean {
  return OWN_ID.test(id)
}

/** The keys in our own elements, which are for the door alone. */
export function keysIn(elements: readonly SyslogElement[]): Param[] {
  return elements.filter(isOwnElement).flatMap(({ params }) => params.filter(isKey))
}

export function isKey({ name }: Pick<Param, 'name'>): boolean {
  return name === 'key'
}

function readElement(bytes: SyslogBytes, at: number): (SyslogElement & { end: number }) | null {
  const idEnd = nameEnd(bytes, at)
  if (idEnd === at) return null
  const id = bytes.toString('latin1', at, idEnd)
  const params: Param[] = []
  let next = idEnd
  while (bytes[next] === SPACE && params.length <= MAX_ATTRIBUTES) {
    const nameStart = next + 1
    const end = nameEnd(bytes, nameStart)
    if (end === nameStart || bytes[end] !== EQUALS || bytes[end + 1] !== QUOTE) return null
    const valueEnd = quotedEnd(bytes, end + 2)
    if (valueEnd === -1) return null
    const value = bytes.toString('utf8', end + 2, valueEnd).replace(/\\(["\\\]])/g, '$1')
    params.push({ name: bytes.toString('latin1', nameStart, end), value, from: next, to: valueEnd + 1 })
    next = valueEnd + 1
  }
  return bytes[next] === CLOSING ? { id, params, end: next + 1 } : null
}

/** Printable ASCII without `=`, `]`, `"` and space, at most this many. */
const MAX_NAME_BYTES = 64

function nameEnd(bytes: SyslogBytes, at: number): number {
  let end = at
  while (end < bytes.length && isNameByte(bytes[end]!)) {
    if (++end - at > MAX_NAME_BYTES) return at
  }
  return end
}

function isNameByte(byte: number): boolean {
  return byte > SPACE && byte < 0x7f && byte !== EQUALS && byte !== CLOSING && byte !== QUOTE
}

function quotedEnd(bytes: SyslogBytes, at: number): number {
  for (let end = at; end < bytes.length; end++) {
    const byte = bytes[end]!
    if (byte === QUOTE) return end
    if (byte === BACKSLASH) end++
  }
  return -1
}

const SPACE = 0x20
const QUOTE = 0x22
const HYPHEN = 0x2d
const EQUALS = 0x3d
const OPENING = 0x5b
const BACKSLASH = 0x5c
const CLOSING = 0x5d
