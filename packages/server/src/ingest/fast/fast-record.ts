/**
 * One record as places in the bytes it came in, without a text or an object made of it. Every `add…` returns where the value
 * ends, or 0 when the plain path might do something else with it than keep it byte for byte: then the whole record is left to
 * that. One of these serves a batch.
 */
import { SLOTS } from '@tidemark/wire/field-names'
import { MAX_AHEAD_US, MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { DAY_US } from '@tidemark/wire/time/units'
import { readsAsScalar } from '../../logstore/schema/attribute-text.ts'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { Redaction } from '../../redaction/redact.ts'
import { QUOTE } from '../json-bytes.ts'
import { SLOT_NUMBER } from '../record/aliases.ts'
import { readIsoBytes } from '../record/iso-time.ts'
import { levelOfSent } from '../record/level.ts'
import { isUsable } from '../record/record-draft.ts'
import { parseTimestamp } from '../record/timestamp.ts'
import { levelWordAt } from './level-words.ts'
import type { AttributeKey, FieldName } from './names.ts'
import { endOf, isWide, maySuspect, type Walked, walkId, walkName, walkText } from './walk-text.ts'

/** What holds for every record of a batch. */
export type FastContext = { receivedUs: number; retentionDays: number; redaction: Redaction }

/** So few and so small that no limit of the plain path is near. */
const MAX_FAST_ATTRIBUTES = 64
const MAX_FAST_BYTES = 32 * 1024

const { message: MESSAGE, time: TIME, level: SENT_LEVEL, environment: ENVIRONMENT } = SLOT_NUMBER
const { traceId: TRACE_ID, spanId: SPAN_ID } = SLOT_NUMBER

const DEFAULT_LEVEL = LEVEL_NUMBER.info
const FIRST_ERROR_LEVEL = LEVEL_NUMBER.error

export class FastRecord {
  bytes: Uint8Array = new Uint8Array()
  /** Nothing is looked at from here on: a record that goes further is too large. */
  limit = 0
  /** Of the whole record as it was sent. */
  length = 0
  timeUs = 0
  level: number = DEFAULT_LEVEL
  /** Where the text of each of our fields begins and ends: the same for one that was not sent. */
  readonly starts: Int32Array = new Int32Array(SLOTS.length)
  readonly ends: Int32Array = new Int32Array(SLOTS.length)
  /** Not all of it is ASCII. */
  isMessageWide = false
  /** How many there are, in the order they were sent. */
  attributes = 0
  readonly keys: AttributeKey[] = []
  readonly valueStarts: Int32Array = new Int32Array(MAX_FAST_ATTRIBUTES)
  readonly valueEnds: Int32Array = new Int32Array(MAX_FAST_ATTRIBUTES)

  readonly #context: FastContext
  #number = 0
  /** Texts that the rules of redaction have to look at. */
  #suspects = 0
  readonly #suspectStarts: number[] = []
  readonly #suspectEnds: number[] = []
  #hasTime = false
  #hasLevel = false

  constructor(context: FastContext) {
    this.#context = context
  }

  begin(bytes: Uint8Array, start: number, number: number): void {
    this.bytes = bytes
    this.limit = Math.min(bytes.length, start + MAX_FAST_BYTES)
    this.#number = number
    this.#suspects = 0
    this.#hasTime = false
    this.#hasLevel = false
    this.timeUs = this.#context.receivedUs
    this.level = DEFAULT_LEVEL
    this.starts.fill(0)
    this.ends.fill(0)
    this.attributes = 0
  }

  /** For the few values that the rules of the plain path have to look at. */
  text(start: number, end: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, end - start).toString('utf8')
  }

  /** Whether the record can be taken, now that all of it was read. */
  isWhole(start: number, end: number): boolean {
    const { receivedUs, retentionDays } = this.#context
    this.length = end - start
    if (this.ends[MESSAGE] === 0 || this.length > MAX_FAST_BYTES) return false
    if (this.timeUs > receivedUs + MAX_AHEAD_US || this.timeUs < receivedUs - retentionDays * DAY_US) return false
    // Errors have a fingerprint, for which the plain path reads more than one field.
    if (this.level >= FIRST_ERROR_LEVEL) return false
    // Last, because it costs the most and the plain path does it again.
    return !this.#hasSecret()
  }

  #hasSecret(): boolean {
    if (this.#suspects === 0) return false
    const { redaction } = this.#context
    // The text alone would not tell: a project can hide what already reads like the placeholder.
    const counts = new Map<string, number>()
    for (let at = 0; at < this.#suspects; at++) {
      redaction.text(this.text(this.#suspectStarts[at]!, this.#suspectEnds[at]!), counts)
      if (counts.size > 0) return true
    }
    return false
  }

  /** A text that begins at `start`, behind its quote, for one of our fields. */
  addField({ alias }: FieldName, start: number): number {
    const { slot, accepts } = alias
    // What is empty counts as not sent.
    if (this.bytes[start] === QUOTE) return start
    if (slot === TIME) return this.#addTime(start)
    if (slot === SENT_LEVEL) return accepts === 'levelName' ? 0 : this.#addLevel(start)
    if (this.ends[slot] !== 0) return 0
    const end = this.#endOfField(slot, start)
    if (end === 0 || (end - start > MAX_NAME_CHARACTERS && slot !== MESSAGE)) return 0
    this.starts[slot] = start
    this.ends[slot] = end
    return end
  }

  /** A number for one of our fields. */
  addFieldNumber({ alias, key }: FieldName, start: number, end: number): number {
    const { slot, accepts } = alias
    const value = Number(this.text(start, end))
    if (slot === TIME) {
      const { receivedUs } = this.#context
      const timeUs = parseTimestamp(value, receivedUs)
      return timeUs !== null && isUsable(alias, value, receivedUs) && this.#setTime(timeUs) ? end : 0
    }
    if (slot !== SENT_LEVEL) return 0
    // The state of a request, say: not a level, and so an attribute.
    if (accepts === 'levelName') return key !== null && this.addAttribute(key, start, end) ? end : 0
    const level = levelOfSent(value)
    return level !== null && this.#setLevel(LEVEL_NUMBER[level]) ? end : 0
  }

  /** A text that begins at `start`, behind its quote, as an attribute. */
  addAttributeText(key: AttributeKey, start: number): number {
    const walked = this.#walk(start)
    if (walked === 0) return 0
    const end = endOf(walked)
    // Its quotes say that it is no number: so it is kept with them.
    const isKeptQuoted = this.#mayBeScalar(start, end) && readsAsScalar(this.text(start, end))
    const isAdded = isKeptQuoted ? this.addAttribute(key, start - 1, end + 1) : this.addAttribute(key, start, end)
    return isAdded ? end : 0
  }

  /** An attribute that is kept as it is written. */
  addAttribute(key: AttributeKey, start: number, end: number): boolean {
    const at = this.attributes
    if (key.seenIn === this.#number || at === MAX_FAST_ATTRIBUTES) return false
    key.seenIn = this.#number
    this.keys[at] = key
    this.valueStarts[at] = start
    this.valueEnds[at] = end
    this.attributes = at + 1
    return true
  }

  #endOfField(slot: number, start: number): number {
    if (slot === ENVIRONMENT) return walkName(this.bytes, start, this.limit)
    if (slot === TRACE_ID || slot === SPAN_ID) {
      const end = walkId(this.bytes, start, this.limit)
      if (end !== 0) return end
    }
    const walked = this.#walk(start)
    if (walked === 0) return 0
    if (slot === MESSAGE) this.isMessageWide = isWide(walked)
    return endOf(walked)
  }

  /** 0 for a text with escapes or with the first words of a stack. */
  #walk(start: number): Walked {
    const walked = walkText(this.bytes, start, this.limit)
    if (walked === 0) return 0
    if (maySuspect(walked) || this.#context.redaction.hasOwnRules) {
      this.#suspectStarts[this.#suspects] = start
      this.#suspectEnds[this.#suspects] = endOf(walked)
      this.#suspects++
    }
    // A panic of Rust on one line; other stacks have several, and so escapes.
    return this.bytes[start] === LOWER_T && this.bytes[start + 7] === APOSTROPHE ? 0 : walked
  }

  /** In the usual form, which every name of the field takes. */
  #addTime(start: number): number {
    const end = walkName(this.bytes, start, this.limit)
    if (end === 0) return 0
    const timeUs = readIsoBytes(this.bytes, start, end)
    return typeof timeUs === 'number' && this.#setTime(timeUs) ? end : 0
  }

  #setTime(timeUs: number): boolean {
    if (this.#hasTime) return false
    this.#hasTime = true
    this.timeUs = timeUs
    return true
  }

  #addLevel(start: number): number {
    const word = levelWordAt(this.bytes, start)
    // The quote is the last byte of the word.
    return word !== null && this.#setLevel(word.level) ? start + word.bytes.length - 1 : 0
  }

  #setLevel(level: number): boolean {
    if (this.#hasLevel) return false
    this.#hasLevel = true
    this.level = level
    return true
  }

  /** By its characters: all that a number has, or as many as a constant has. */
  #mayBeScalar(start: number, end: number): boolean {
    const first = this.bytes[start]!
    if (first >= LOWER_A) return end - start <= LONGEST_CONSTANT
    if (first !== DASH && (first < ZERO || first > NINE)) return false
    for (let at = start; at < end; at++) if (!IS_NUMERIC[this.bytes[at]!]) return false
    return true
  }
}

const LOWER_A = 0x61
const LOWER_T = 0x74
const APOSTROPHE = 0x27
const DASH = 0x2d
const ZERO = 0x30
const NINE = 0x39
const LONGEST_CONSTANT = 'false'.length
/** White space may follow a number. */
const IS_NUMERIC = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.eE0-9 ]/.test(String.fromCharCode(byte)) ? 1 : 0,
)
