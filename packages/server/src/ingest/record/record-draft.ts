import { SLOTS, type Slot } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import { PLAIN_LEVEL } from '@tidemark/wire/level'
import { levelOfSeverityNumber } from '@tidemark/wire/senders/sent-level'
import { FIRST_EPOCH } from '@tidemark/wire/time/epoch'
import type { AttributeValue } from '../../model/log-record.ts'
import { MAX_ATTRIBUTE_DEPTH } from '../limits.ts'
import { type Alias, DEEP_ALIASES, SLOT_NUMBER } from './aliases.ts'
import { errorFromValue } from './find-error.ts'
import { pairBytes } from './shared-bytes.ts'
import { parseTimestamp } from './timestamp.ts'

/**
 * One record while it is being read: for each of our fields the best value offered so far, and everything else as flat
 * attributes. What loses its field to a better name becomes an attribute, so nothing is dropped. One draft serves a whole
 * batch; `reset` begins the next record.
 */
export class RecordDraft {
  attributes = new Map<string, AttributeValue>()
  /** Why the record cannot be taken; the first reason stays. */
  problem: string | null = null
  /** Set by formats whose times need no guessing; wins over what was offered. */
  exactTimeUs: number | null = null
  /** Put before a key that is already taken; without one the key is numbered. */
  collisionPrefix = ''

  protected readonly receivedUs: number
  readonly #values: unknown[] = new Array(SLOTS.length).fill(undefined)
  readonly #keys: string[] = new Array(SLOTS.length).fill('')
  readonly #aliases: (Alias | null)[] = new Array(SLOTS.length).fill(null)
  /** For each key that came twice: with which number it is tried next. */
  readonly #nextNumbers = new Map<string, number>()

  constructor(receivedUs: number) {
    this.receivedUs = receivedUs
  }

  reset(): void {
    this.attributes = new Map()
    this.problem = null
    this.exactTimeUs = null
    this.collisionPrefix = ''
    this.#values.fill(undefined)
    this.#aliases.fill(null)
    this.#nextNumbers.clear()
  }

  /** Undefined when nobody offered one. */
  value(slot: Slot): unknown {
    return this.valueAt(SLOT_NUMBER[slot])
  }

  /** The same by the number of the field. */
  valueAt(slot: number): unknown {
    return this.#values[slot]
  }

  /** Fields with values of their own form, such as OpenTelemetry's severity number, are told apart by this. */
  alias(slot: Slot): Alias | null {
    return this.#aliases[SLOT_NUMBER[slot]]!
  }

  key(slot: Slot): string {
    return this.#keys[SLOT_NUMBER[slot]]!
  }

  set(slot: Slot, value: unknown): void {
    this.offer(OWN_ALIASES[SLOT_NUMBER[slot]]!, slot, value)
  }

  /** Gives a value to a field unless a better name has it already; false when the value is not usable there. */
  offer(alias: Alias, key: string, value: unknown): boolean {
    if (value === null || value === undefined || value === '') return true
    if (!isUsable(alias, value, this.receivedUs)) return false
    this.give(alias, key, value)
    return true
  }

  /** A value that the field can use. */
  protected give(alias: Alias, key: string, value: unknown): void {
    const held = this.#aliases[alias.slot]!
    if (held !== null && held.rank <= alias.rank) {
      this.keep(key, value, 1)
      return
    }
    const loser = held === null ? undefined : this.#values[alias.slot]
    const loserKey = this.#keys[alias.slot]!
    this.#values[alias.slot] = value
    this.#keys[alias.slot] = key
    this.#aliases[alias.slot] = alias
    if (loser !== undefined) this.keep(loserKey, loser, 1)
  }

  /** All that records have in common. A key that is already taken gets the prefix. */
  add(shared: SharedDraft, collisionPrefix: string): void {
    this.collisionPrefix = collisionPrefix
    for (const { alias, key, value, problem } of shared.steps) {
      if (problem !== null) this.problem ??= problem
      else if (alias !== null) this.give(alias, key, value)
      else this.put(key, value as AttributeValue)
    }
    this.collisionPrefix = ''
  }

  /** An attribute, or one of our fields under a dotted name. */
  read(key: string, value: unknown, depth: number): void {
    const alias = DEEP_ALIASES.get(key)
    if (alias !== undefined && this.offer(alias, key, value)) return
    if (isObject(value)) this.#readObject(key, value, depth)
    else this.keep(key, value, depth)
  }

  /** An attribute as it is: objects flattened, arrays as JSON text. */
  keep(key: string, value: unknown, depth: number): void {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        this.put(key, value)
        return
      case 'number':
        this.put(key, Number.isFinite(value) ? value : String(value))
        return
      case 'object':
        if (value === null) this.put(key, null)
        else if (!Array.isArray(value)) this.#keepObject(key, value, depth)
        else if (depth + depthOf(value) > MAX_ATTRIBUTE_DEPTH) this.refuse(tooDeep(key))
        else this.put(key, JSON.stringify(value))
    }
  }

  #readObject(key: string, value: object, depth: number): void {
    if (depth >= MAX_ATTRIBUTE_DEPTH) {
      this.refuse(tooDeep(key))
      return
    }
    let isEmpty = true
    for (const name in value) {
      isEmpty = false
      this.read(`${key}.${name}`, (value as Record<string, unknown>)[name], depth + 1)
    }
    if (isEmpty) this.put(key, '{}')
  }

  #keepObject(key: string, value: object, depth: number): void {
    if (depth >= MAX_ATTRIBUTE_DEPTH) {
      this.refuse(tooDeep(key))
      return
    }
    let isEmpty = true
    for (const name in value) {
      isEmpty = false
      this.keep(`${key}.${name}`, (value as Record<string, unknown>)[name], depth + 1)
    }
    if (isEmpty) this.put(key, '{}')
  }

  protected put(key: string, value: AttributeValue): void {
    let free = key
    if (this.attributes.has(free)) {
      if (this.collisionPrefix !== '') free = this.collisionPrefix + key
      let number = this.#nextNumbers.get(key) ?? 2
      while (this.attributes.has(free)) free = `${key}#${number++}`
      this.#nextNumbers.set(key, number)
    }
    this.attributes.set(free, value)
  }

  protected refuse(problem: string): void {
    this.problem ??= problem
  }
}

type Step = { alias: Alias | null; key: string; value: unknown; problem: string | null }

/** What many records have in common, read once: which field each value is for, or what it is called as an attribute. */
export class SharedDraft extends RecordDraft {
  /** In the order they were read. */
  readonly steps: Step[] = []
  #bytes: number | undefined

  /** What it adds to each record. */
  get bytes(): number {
    this.#bytes ??= this.steps.reduce((sum, { key, value }) => sum + pairBytes(key, value), 0)
    return this.#bytes
  }

  protected override give(alias: Alias, key: string, value: unknown): void {
    this.steps.push({ alias, key, value, problem: null })
  }

  protected override put(key: string, value: AttributeValue): void {
    this.steps.push({ alias: null, key, value, problem: null })
  }

  protected override refuse(problem: string): void {
    this.steps.push({ alias: null, key: '', value: '', problem })
  }
}

function tooDeep(key: string): string {
  return `The attribute "${key.slice(0, 60)}" is nested deeper than ${MAX_ATTRIBUTE_DEPTH} levels.`
}

/** Whether a field takes this value under this name. */
export function isUsable({ accepts }: Alias, value: unknown, receivedUs: number): boolean {
  switch (accepts) {
    case 'any':
      return true
    case 'text':
      return typeof value === 'string'
    case 'name':
      return typeof value !== 'object'
    case 'clock':
      return typeof value === 'number' ? value >= FIRST_EPOCH : typeof value === 'string' && DATE_LIKE.test(value)
    case 'time':
      return parseTimestamp(value, receivedUs) !== null
    case 'levelName':
      return typeof value === 'string' && PLAIN_LEVEL.test(value)
    case 'severityNumber':
      return levelOfSeverityNumber(value) !== null
    case 'error':
      return errorFromValue(value) !== null
  }
}

/** For values whose field is known without a name. */
export function aliasFor(slot: Slot, rank: number): Alias {
  return { slot: SLOT_NUMBER[slot], rank, accepts: 'any' }
}

const OWN_ALIASES = SLOTS.map((slot) => aliasFor(slot, 0))

const DATE_LIKE = /\d{4}|\d:\d\d/

/** Levels of objects and arrays in a value, itself included. The JSON scan bounded them. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const inner of Array.isArray(value) ? value : Object.values(value)) deepest = Math.max(deepest, depthOf(inner))
  return deepest + 1
}
