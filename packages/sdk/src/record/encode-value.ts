/**
 * Any value as JSON text, however hostile: cycles, throwing getters, revoked proxies, big integers, endless lists. It never
 * throws and is bounded in depth, values and characters, so that a log call costs little whatever it is given. The bounds
 * stay below what the service accepts, because a record over its limits would be rejected whole.
 */
import { cutText, utf8Bytes, wordForInteger } from './cut-text.ts'
import { describeError, isErrorLike } from './describe-error.ts'

/** Objects and lists below this are named, not opened. The service accepts eight levels. */
export const MAX_DEPTH = 6
/** The service accepts 256 attributes, counting every value that is not an object. */
export const MAX_ATTRIBUTES = 200
/** Elements of one list; the rest is counted. */
const MAX_ELEMENTS = 100
/** Values of one record in all, those in lists included. */
const MAX_VALUES = 1_000
/** Characters of one text, and of all texts of one record. */
const MAX_TEXT = 16 * 1024
const MAX_TEXT_IN_ALL = 64 * 1024
/** The service accepts 128 bytes for a key with all the keys above it. */
export const MAX_PATH_BYTES = 120
/** An object whose path is longer becomes one text, so that its keys need no path. */
const MAX_OPENED_PATH_BYTES = 64
/** Inside a list, which the service keeps as one text: no key there is part of a path or a separate attribute. */
const NO_PATH = Number.NEGATIVE_INFINITY

export class ValueEncoder {
  #attributesLeft = MAX_ATTRIBUTES
  #valuesLeft = MAX_VALUES
  #textLeft: number
  #left = 0
  readonly #above: object[] = []

  constructor(maxText = MAX_TEXT_IN_ALL) {
    this.#textLeft = maxText
  }

  /** The properties of an object without braces, each as `"key":value`. */
  properties(value: object, skip?: (key: string) => boolean, pathBytes = 0, depth = 1): string {
    const keys = Object.keys(value)
    let text = ''
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]!
      if (skip?.(key)) continue
      if (this.#valuesLeft-- <= 0 || (pathBytes !== NO_PATH && this.#attributesLeft <= 0)) {
        this.#left += keys.length - at
        break
      }
      const property = this.#property(key, value, pathBytes, depth)
      if (property !== '') text += text === '' ? property : `,${property}`
    }
    return text
  }

  /** How many properties were left out because the record has too many. */
  get leftOut(): number {
    return this.#left
  }

  /** JSON text, or undefined when there is nothing to say: `undefined` itself. */
  value(value: unknown, depth = 1, pathBytes = 0): string | undefined {
    switch (typeof value) {
      case 'string':
        return this.#text(value)
      case 'number':
        return Number.isFinite(value) ? String(value) : `"${value}"`
      case 'boolean':
        return value ? 'true' : 'false'
      case 'undefined':
        return undefined
      case 'object':
        return value === null ? 'null' : this.#object(value, depth, pathBytes)
      case 'bigint':
        return `"${wordForInteger(value)}"`
      case 'symbol':
        return this.#text(String(value))
      default:
        return this.#text(nameOfFunction(value))
    }
  }

  #property(key: string, holder: object, pathBytes: number, depth: number): string {
    const name = key.length > 40 ? fitKey(key, MAX_PATH_BYTES - pathBytes) : key
    let encoded: string | undefined
    try {
      encoded = this.value((holder as Record<string, unknown>)[key], depth, pathBytes + name.length + 1)
    } catch {
      encoded = '"[threw when read]"'
    }
    if (encoded === undefined) return ''
    if (pathBytes !== NO_PATH && encoded.charCodeAt(0) !== OPEN_BRACE) this.#attributesLeft--
    return `${quotedKey(name)}${encoded}`
  }

  #object(value: object, depth: number, pathBytes: number): string | undefined {
    if (this.#valuesLeft-- <= 0) return '"[cut]"'
    if (this.#above.includes(value)) return '"[circular]"'
    this.#above.push(value)
    try {
      return this.#opened(value, depth, pathBytes)
    } catch {
      // A revoked proxy throws on every access.
      return '"[unreadable]"'
    } finally {
      this.#above.pop()
    }
  }

  #opened(value: object, depth: number, pathBytes: number): string | undefined {
    if (Array.isArray(value)) return depth > MAX_DEPTH ? `"[list of ${value.length}]"` : this.#list(value, depth)
    if (isErrorLike(value)) {
      const { type, message, stack } = describeError(value)
      return `{${this.properties({ type, message, stack }, undefined, pathBytes, depth + 1)}}`
    }
    const simple = this.#simple(value)
    if (simple !== undefined) return simple
    if (depth > MAX_DEPTH) return this.#text(`[${nameOfClass(value)}]`)
    const own = (value as { toJSON?: unknown }).toJSON
    if (typeof own === 'function') {
      const plain: unknown = own.call(value, '')
      if (plain !== value) return this.value(plain, depth + 1, pathBytes)
    }
    if (value instanceof Map) return this.value(Object.fromEntries(firstEntries(value)), depth, pathBytes)
    if (value instanceof Set) return this.#list(firstOf(value.values()), depth, value.size)
    if (isDomNode(value)) return this.#text(`[${value.nodeName.toLowerCase()} element]`)
    const isText = pathBytes > MAX_OPENED_PATH_BYTES
    const text = `{${this.properties(value, undefined, isText ? NO_PATH : pathBytes, depth + 1)}}`
    return isText ? this.#text(text) : text
  }

  #list(list: readonly unknown[], depth: number, size = list.length): string {
    const elements: string[] = []
    const count = Math.min(list.length, MAX_ELEMENTS)
    for (let at = 0; at < count && this.#valuesLeft-- > 0; at++) {
      try {
        elements.push(this.value(list[at], depth + 1, NO_PATH) ?? 'null')
      } catch {
        elements.push('"[threw when read]"')
      }
    }
    if (size > elements.length) elements.push(`"… ${size - elements.length} more"`)
    return `[${elements.join(',')}]`
  }

  /** What has one plain form. */
  #simple(value: object): string | undefined {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '"Invalid Date"' : `"${value.toISOString()}"`
    if (value instanceof RegExp || value instanceof URL) return this.#text(String(value))
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      return this.#text(`[${nameOfClass(value)} of ${value.byteLength} bytes]`)
    }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
      return this.#text(`[${nameOfClass(value)}]`)
    }
    if (value instanceof String || value instanceof Number || value instanceof Boolean)
      return this.value(value.valueOf(), 1)
    return undefined
  }

  #text(text: string): string {
    const max = Math.min(MAX_TEXT, Math.max(this.#textLeft, 0))
    this.#textLeft -= Math.min(text.length, max)
    return JSON.stringify(text.length > max ? cutText(text, max) : text)
  }
}

const OPEN_BRACE = 0x7b

/** Keys repeat; quoting them is a good part of the work. At the limit they are quoted each time. */
const MAX_KNOWN_KEYS = 2_000
const knownKeys = new Map<string, string>()

function quotedKey(key: string): string {
  const known = knownKeys.get(key)
  if (known !== undefined) return known
  const quoted = `${JSON.stringify(key)}:`
  if (knownKeys.size < MAX_KNOWN_KEYS) knownKeys.set(key, quoted)
  return quoted
}

function fitKey(key: string, maxBytes: number): string {
  let fitted = key.length > maxBytes ? key.slice(0, Math.max(maxBytes, 8)) : key
  while (fitted.length > 8 && utf8Bytes(fitted) > maxBytes) fitted = fitted.slice(0, Math.floor(fitted.length * 0.75))
  return fitted
}

function firstEntries(map: Map<unknown, unknown>): [string, unknown][] {
  return firstOf(map.entries()).map(([key, value]) => [typeof key === 'object' ? '[object]' : String(key), value])
}

function firstOf<Item>(items: Iterable<Item>): Item[] {
  const first: Item[] = []
  for (const item of items) if (first.push(item) >= MAX_ELEMENTS) break
  return first
}

function nameOfFunction(value: unknown): string {
  try {
    const { name } = value as { name: unknown }
    return typeof name === 'string' && name !== '' ? `[function ${name}]` : '[function]'
  } catch {
    return '[function]'
  }
}

function nameOfClass(value: object): string {
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'Object'
}

/** A page's elements lead to the whole page and to what frameworks attach to them. */
function isDomNode(value: object): value is { nodeName: string } {
  const { nodeType, nodeName } = value as { nodeType?: unknown; nodeName?: unknown }
  return typeof nodeType === 'number' && typeof nodeName === 'string'
}
