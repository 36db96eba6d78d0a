/**
 * What each name means at its place in a record. The same few names come with every record of a service, so each is judged
 * once, by the tables and rules of the plain path, and then recognised by its bytes.
 */
import { randomInt } from 'node:crypto'
import { SLOTS, type Slot } from '@tidemark/wire/field-names'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { Redaction } from '../../redaction/redact.ts'
import { MAX_KEY_BYTES } from '../limits.ts'
import { ALIASES, type Alias, DEEP_ALIASES } from '../record/aliases.ts'
import { levelOfSent } from '../record/level.ts'
import { ERROR_KEYS } from '../record/normalize.ts'
import { endOf, walkName } from './walk-text.ts'

/** The whole record is read the plain way. */
export const UNUSUAL = 0
/** One of our fields. */
export const FIELD = 1
export const ATTRIBUTE = 2
/** The object whose members are attributes under their own names. */
export const ATTRIBUTES = 3
/** Its value is not kept. */
export const IGNORED = 4
/** Not a name but a level as it is written. */
export const LEVEL = 5

/** An object in a record: what its members are called begins with `prefix`. */
export type Place = {
  readonly kind: 'top' | 'attributes' | 'object' | 'levels'
  readonly prefix: string
  /** Tells it from all other places. */
  readonly number: number
}

export type Name = {
  readonly place: Place
  readonly bytes: Uint8Array
  readonly kind: number
  /** Of a field: its number, and what its value must be. */
  readonly slot: number
  readonly alias: Alias | null
  /** What the value is called as an attribute; null where that is not certain. */
  readonly key: AttributeKey | null
  /** Of a level. */
  readonly level: number
  /** Where its members are, when its value is an object. */
  readonly inside: Place | null
  /** The record that had it last: a second time in one record is unusual. */
  seenIn: number
  /** What came after it the last time. */
  next: Name
}

/** The key as a row holds it, its length in front. Names at different places may have the same. */
export type AttributeKey = { readonly row: Uint8Array; seenIn: number }

export const TABLE_SIZE = 4_096
/** With more than this all are forgotten: strangers choose the names. */
const MAX_NAMES = 1_024
/** The search among names that meet in the table ends here. */
const MAX_STEPS = 8
const QUOTE = 0x22

export const TOP: Place = { kind: 'top', prefix: '', number: 0 }
export const IN_ATTRIBUTES: Place = { kind: 'attributes', prefix: '', number: 1 }
const LEVELS_SENT: Place = { kind: 'levels', prefix: '', number: 2 }
const FIRST_PLACE_INSIDE = 3

/** Those whose values are texts or have a meaning that is quickly read. */
const SIMPLE_SLOTS: ReadonlySet<Slot> = new Set(SLOTS.filter((slot) => slot !== 'error' && !slot.startsWith('error')))

/** As they stand in a record, up to the quote behind them. */
const OWN_NAMES = ['attributes', ...ALIASES.keys()].map((name) => Buffer.from(`${name}"`))

export class Names {
  readonly #redaction: Redaction
  readonly #newSeed: () => number
  #seed = 0
  #places = FIRST_PLACE_INSIDE
  #table: (Name | undefined)[] = new Array(TABLE_SIZE).fill(undefined)
  #count = 0
  #records = 0
  #keys = new Map<string, AttributeKey>()
  /** Before the first name of a record. */
  readonly start: Name = nameOf(TOP, new Uint8Array(), { kind: UNUSUAL })

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

  /** With our own names first, whatever else comes. */
  #beginAnew(): void {
    this.#table.fill(undefined)
    this.#keys.clear()
    this.#count = 0
    this.start.next = this.start
    this.#seed = this.#newSeed()
    for (const name of OWN_NAMES) this.find(TOP, name, 0)
  }

  /** The name that begins at `start`, up to its quote. */
  find(place: Place, bytes: Uint8Array, start: number): Name {
    const end = endOf(walkName(bytes, start, Math.min(bytes.length, start + MAX_KEY_BYTES + 1)))
    if (bytes[end] !== QUOTE) return this.start
    let slot = hashOf(this.#seed, place, bytes, start, end) & (TABLE_SIZE - 1)
    for (let step = 0; step < MAX_STEPS; step++) {
      const known = this.#table[slot]
      if (known === undefined) {
        const name = this.#judge(place, bytes.slice(start, end))
        this.#table[slot] = name
        this.#count++
        return name
      }
      if (known.place === place && known.bytes.length === end - start && isAt(known, bytes, start)) return known
      slot = (slot + 1) & (TABLE_SIZE - 1)
    }
    return this.start
  }

  level(bytes: Uint8Array, start: number): Name {
    return this.find(LEVELS_SENT, bytes, start)
  }

  #judge(place: Place, bytes: Uint8Array): Name {
    const name = Buffer.from(bytes).toString('utf8')
    if (place.kind === 'levels') {
      const level = levelOfSent(name)
      return nameOf(place, bytes, level === null ? { kind: UNUSUAL } : { kind: LEVEL, level: LEVEL_NUMBER[level] })
    }
    // JavaScript puts names that are numbers before all others.
    if (/^(?:\d|$)/.test(name)) return nameOf(place, bytes, { kind: UNUSUAL })
    if (place.kind === 'top') {
      if (name === 'attributes') return nameOf(place, bytes, { kind: ATTRIBUTES, inside: IN_ATTRIBUTES })
      if (name === 'projectApiKey') return nameOf(place, bytes, { kind: IGNORED })
      // A logger for some, depending on what else is sent.
      if (name === 'name') return nameOf(place, bytes, { kind: UNUSUAL })
    }
    if (place.kind === 'attributes' && ERROR_KEYS.has(name)) return nameOf(place, bytes, { kind: UNUSUAL })
    const full = place.prefix + name
    const key = this.#keyOf(full)
    const alias = place.kind === 'top' ? ALIASES.get(name) : DEEP_ALIASES.get(full)
    if (alias === undefined) {
      return key === null
        ? nameOf(place, bytes, { kind: UNUSUAL })
        : nameOf(place, bytes, { kind: ATTRIBUTE, key, inside: this.#placeInside(full) })
    }
    const isSimple = SIMPLE_SLOTS.has(SLOTS[alias.slot]!) && alias.accepts !== 'severityNumber'
    return nameOf(place, bytes, isSimple ? { kind: FIELD, slot: alias.slot, alias, key } : { kind: UNUSUAL })
  }

  #placeInside(full: string): Place {
    return { kind: 'object', prefix: `${full}.`, number: this.#places++ }
  }

  /** Null for a key that redaction or a limit has something to say about. */
  #keyOf(full: string): AttributeKey | null {
    const known = this.#keys.get(full)
    if (known !== undefined) return known
    const text = Buffer.from(full)
    const { hides, holdsSecret } = this.#redaction.judgeKey(full)
    // A length below 128 takes one byte.
    if (hides || holdsSecret || text.length >= MAX_KEY_BYTES) return null
    const key: AttributeKey = { row: Uint8Array.of(text.length, ...text), seenIn: 0 }
    this.#keys.set(full, key)
    return key
  }
}

type Meaning = { kind: number; slot?: number; alias?: Alias; key?: AttributeKey | null; level?: number; inside?: Place }

function nameOf(place: Place, bytes: Uint8Array, meaning: Meaning): Name {
  const { kind, slot = 0, alias = null, key = null, level = 0, inside = null } = meaning
  const name = { place, bytes, kind, slot, alias, key, level, inside, seenIn: 0 } as Name
  name.next = name
  return name
}

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
