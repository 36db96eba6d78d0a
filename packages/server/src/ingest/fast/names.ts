/**
 * What each name means at its place in a record. The same few names come with every record of a service, so each is judged
 * once, by the tables and rules of the plain path, and then recognised by its bytes.
 */
import { isUtf8 } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { SLOTS, type Slot } from '@tidemark/wire/field-names'
import type { Redaction } from '../../redaction/redact.ts'
import { MAX_KEY_BYTES } from '../limits.ts'
import { ALIASES, type Alias, DEEP_ALIASES } from '../record/aliases.ts'
import { ERROR_KEYS } from '../record/normalize.ts'
import { walkName } from './walk-text.ts'

/** The whole record is read the plain way. */
export const UNUSUAL = 0
/** One of our fields. */
export const FIELD = 1
export const ATTRIBUTE = 2
/** The object whose members are attributes under their own names. */
export const ATTRIBUTES = 3
/** Its value is not kept. */
export const IGNORED = 4

/** An object in a record: what its members are called begins with `prefix`. */
export type Place = {
  readonly prefix: string
  /** Tells it from all other places. */
  readonly number: number
}

/**
 * What a name stands for: what its value must be when it is a field, what it is called as an attribute (null for a field
 * where that is not certain), and where its members are when it is an object.
 */
type Meaning =
  | { readonly kind: typeof UNUSUAL | typeof IGNORED; readonly alias: null; readonly key: null; readonly inside: null }
  | { readonly kind: typeof FIELD; readonly alias: Alias; readonly key: AttributeKey | null; readonly inside: null }
  | { readonly kind: typeof ATTRIBUTE; readonly alias: null; readonly key: AttributeKey; readonly inside: Place }
  | { readonly kind: typeof ATTRIBUTES; readonly alias: null; readonly key: null; readonly inside: Place }

export type Name = Meaning & {
  readonly place: Place
  readonly bytes: Uint8Array
  /** The record that had it last: a second time in one record is unusual. */
  seenIn: number
  /** What came after it the last time. */
  next: Name
}

export type FieldName = Extract<Name, { kind: typeof FIELD }>

/** The key as a row holds it, its length in front. Names at different places may have the same. */
export type AttributeKey = {
  readonly row: Uint8Array
  seenIn: number
  /** A text that this accepts is redacted because of the key. */
  readonly hidesIf: ((value: string) => boolean) | null
}

export const TABLE_SIZE = 4_096
/** With more than this all are forgotten: strangers choose the names. */
const MAX_NAMES = 1_024
/** The search among names that meet in the table ends here. */
const MAX_STEPS = 16

/** Where no name stands. */
const NOWHERE: Place = { prefix: '', number: 0 }
export const TOP: Place = { prefix: '', number: 1 }
export const IN_ATTRIBUTES: Place = { prefix: '', number: 2 }
const FIRST_PLACE_INSIDE = 3

/** Those whose values are texts or have a meaning that is quickly read. */
const SIMPLE_SLOTS: ReadonlySet<Slot> = new Set(SLOTS.filter((slot) => !slot.startsWith('error')))

/** As they stand in a record, up to the quote after them. */
const OWN_NAMES = ['attributes', ...ALIASES.keys()].map((name) => new Uint8Array(Buffer.from(`${name}"`)))

export class Names {
  readonly #redaction: Redaction
  readonly #newSeed: () => number
  #seed = 0
  #places = FIRST_PLACE_INSIDE
  #table: (Name | undefined)[] = new Array(TABLE_SIZE).fill(undefined)
  #count = 0
  #records = 0
  #forgotten = 0
  #keys = new Map<string, AttributeKey>()
  /** Before the first name of a record. */
  readonly start: Name = nameOf(NOWHERE, new Uint8Array(), LEFT)

  /** Where a name stands in the table depends on a number that nobody outside knows, so none can be crowded out. */
  constructor(redaction: Redaction, newSeed: () => number = () => randomInt(2 ** 32)) {
    this.#redaction = redaction
    this.#newSeed = newSeed
    this.#beginAnew()
  }

  /** The number of a new record. Between records is where all may be forgotten: one never meets old and new entries. */
  nextRecord(): number {
    if (this.#count >= MAX_NAMES) this.#beginAnew()
    return ++this.#records
  }

  /** How often all were forgotten: who keeps a name from one record to the next has to look whether it is still the one. */
  get timesForgotten(): number {
    return this.#forgotten
  }

  /** With our own names first, whatever else comes. */
  #beginAnew(): void {
    this.#forgotten++
    this.#table.fill(undefined)
    this.#keys.clear()
    this.#count = 0
    this.start.next = UNKNOWN
    this.#seed = this.#newSeed()
    for (const name of OWN_NAMES) this.find(TOP, name, 0)
  }

  /** The name that begins at `start`, up to its quote. */
  find(place: Place, bytes: Uint8Array, start: number): Name {
    const end = walkName(bytes, start, Math.min(bytes.length, start + MAX_KEY_BYTES + 1))
    return end === 0 ? UNKNOWN : this.findBetween(place, bytes, start, end)
  }

  /** The name from `start` to `end`, whatever characters it has. */
  findBetween(place: Place, bytes: Uint8Array, start: number, end: number): Name {
    if (end - start > MAX_KEY_BYTES) return UNKNOWN
    let slot = hashOf(this.#seed, place, bytes, start, end) & (TABLE_SIZE - 1)
    for (let step = 0; step < MAX_STEPS; step++) {
      const known = this.#table[slot]
      if (known === undefined) {
        const own = bytes.slice(start, end)
        const text = textOf(own)
        const name = nameOf(place, own, text === null ? LEFT : this.#meaningOf(place, text))
        this.#table[slot] = name
        this.#count++
        return name
      }
      if (known.place === place && known.bytes.length === end - start && isAt(known, bytes, start)) return known
      slot = (slot + 1) & (TABLE_SIZE - 1)
    }
    return UNKNOWN
  }

  #meaningOf(place: Place, name: string): Meaning {
    // JavaScript puts names that are numbers before all others.
    const first = name.charCodeAt(0)
    if (name === '' || (first >= ZERO && first <= NINE)) return LEFT
    if (place === TOP) {
      if (name === 'attributes') return { kind: ATTRIBUTES, alias: null, key: null, inside: IN_ATTRIBUTES }
      if (name === 'projectApiKey') return { kind: IGNORED, alias: null, key: null, inside: null }
      // A logger for some, depending on what else is sent.
      if (name === 'name') return LEFT
    }
    if (place === IN_ATTRIBUTES && ERROR_KEYS.has(name)) return LEFT
    const full = place.prefix + name
    const key = this.#keyOf(full)
    const alias = place === TOP ? ALIASES.get(name) : DEEP_ALIASES.get(full)
    if (alias === undefined) {
      return key === null ? LEFT : { kind: ATTRIBUTE, alias: null, key, inside: this.#placeInside(full) }
    }
    const isSimple = SIMPLE_SLOTS.has(SLOTS[alias.slot]!) && alias.accepts !== 'severityNumber'
    return isSimple ? { kind: FIELD, alias, key, inside: null } : LEFT
  }

  #placeInside(full: string): Place {
    return { prefix: `${full}.`, number: this.#places++ }
  }

  /** Null for a key that redaction or a limit has something to say about. */
  #keyOf(full: string): AttributeKey | null {
    const known = this.#keys.get(full)
    if (known !== undefined) return known
    const row = rowOf(full)
    if (row === null) return null
    const { hides, hidesIf, holdsSecret } = this.#redaction.judgeKey(full)
    if (hides || holdsSecret) return null
    const key: AttributeKey = { row, seenIn: 0, hidesIf }
    this.#keys.set(full, key)
    return key
  }
}

/** What a name means depends on what a project hides, and on nothing else of it. */
export function namesFor(redaction: Redaction): Names {
  let names = known.get(redaction)
  if (names === undefined) {
    names = new Names(redaction)
    known.set(redaction, names)
  }
  return names
}

const known = new WeakMap<Redaction, Names>()

const LEFT: Meaning = { kind: UNUSUAL, alias: null, key: null, inside: null }

/** Null where the bytes say something else than the text that they are read as, or the plain path would clean some away. */
function textOf(bytes: Uint8Array): string | null {
  let text = ''
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === 0) return null
    if (byte > LAST_ASCII) return isUtf8(bytes) && !bytes.includes(0) ? Buffer.from(bytes).toString('utf8') : null
    text += String.fromCharCode(byte)
  }
  return text
}

/** The text with its length in front, which takes one byte; null for one that is too long for that. */
function rowOf(text: string): Uint8Array | null {
  if (text.length >= MAX_KEY_BYTES) return null
  const row = new Uint8Array(1 + text.length)
  row[0] = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > LAST_ASCII) return wideRowOf(Buffer.from(text))
    row[at + 1] = code
  }
  return row
}

function wideRowOf(text: Buffer): Uint8Array | null {
  return text.length >= MAX_KEY_BYTES ? null : Uint8Array.of(text.length, ...text)
}

const LAST_ASCII = 0x7f
const ZERO = 0x30
const NINE = 0x39

/** All with the same properties in the same order, whatever they mean: reading them stays quick. */
function nameOf(place: Place, bytes: Uint8Array, { kind, alias, key, inside }: Meaning): Name {
  const name = { place, bytes, kind, alias, key, inside, seenIn: 0 } as Name
  name.next = name
  return name
}

/** One that is not to be found, or not remembered. */
const UNKNOWN: Name = nameOf(NOWHERE, new Uint8Array(), LEFT)

/** Whether the name stands at `start`, whatever follows. */
export function isAt({ bytes: own }: Name, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < own.length; at++) if (bytes[start + at] !== own[at]) return false
  return true
}

export function hashOf(seed: number, place: Place, bytes: Uint8Array, start: number, end: number): number {
  let hash = Math.imul(seed ^ place.number, 0x9e3779b1)
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
