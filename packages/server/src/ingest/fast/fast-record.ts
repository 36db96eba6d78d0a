/**
 * One record as places in the bytes it came in, without a text or an object made of it. Every `add…` returns where the value
 * ends, or 0 when the plain path might do something else with it than keep it byte for byte: then the whole record is left to
 * that. One of these serves a batch.
 */
import { isUtf8 } from 'node:buffer'
import { SLOTS } from '@tidemark/wire/field-names'
import { LEVELS } from '@tidemark/wire/level'
import { MAX_AHEAD_US, MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import type { Retention } from '@tidemark/wire/retention'
import { levelOfText, mayHaveLayout } from '@tidemark/wire/senders/line-layouts'
import { levelOfSent } from '@tidemark/wire/senders/sent-level'
import { DAY_US } from '@tidemark/wire/time/units'
import { OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE } from '../../bytes/json-bytes.ts'
import { readsAsScalar } from '../../logstore/schema/attribute-text.ts'
import { LEVEL_NUMBER } from '../../model/level.ts'
import { daysKept } from '../../model/retention.ts'
import type { Redaction } from '../../redaction/redact.ts'
import { SLOT_NUMBER } from '../record/aliases.ts'
import { readIsoBytes } from '../record/iso-time.ts'
import { isUsable } from '../record/record-draft.ts'
import { parseTimestamp } from '../record/timestamp.ts'
import { levelOfBytes } from './level-words.ts'
import { MADE, MadeTexts } from './made-texts.ts'
import type { AttributeKey, FieldName } from './names.ts'
import { endOf, isWide, maySuspect, type Walked, walkId, walkName, walkSpan, walkText } from './walk-text.ts'

/** What holds for every record of a batch. */
export type FastContext = Retention & { receivedUs: number; defaultEnvironment: string; redaction: Redaction }

/** So few and so small that no limit of the plain path is near. */
const MAX_FAST_ATTRIBUTES = 64
export const MAX_FAST_BYTES = 32 * 1024

const { message: MESSAGE, time: TIME, level: SENT_LEVEL, environment: ENVIRONMENT, service: SERVICE } = SLOT_NUMBER
const { traceId: TRACE_ID, spanId: SPAN_ID } = SLOT_NUMBER

const DEFAULT_LEVEL = LEVEL_NUMBER.info
const FIRST_ERROR_LEVEL = LEVEL_NUMBER.error

export class FastRecord {
  bytes: Uint8Array = new Uint8Array()
  /** Nothing is looked at from here on: a record that goes further is too large. */
  limit = 0
  /** The texts of the record have at most this many bytes. */
  length = 0
  timeUs = 0
  level: number = DEFAULT_LEVEL
  /** How long it is kept, once it is whole. */
  daysKept = 0
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

  /** Texts that do not stand in the bytes. */
  readonly made: MadeTexts

  readonly #context: FastContext
  #number = 0
  /** Texts that the rules of redaction have to look at. */
  #suspects = 0
  readonly #suspectStarts: number[] = []
  readonly #suspectEnds: number[] = []
  #hasTime = false
  #hasLevel = false

  constructor(context: FastContext, made: MadeTexts = new MadeTexts(0)) {
    this.#context = context
    this.made = made
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

  /** Adds all that another has, which goes after what is here; false when both have the same. */
  addAll({ starts, ends, attributes, keys, valueStarts, valueEnds }: FastRecord): boolean {
    for (let slot = 0; slot < SLOTS.length; slot++) {
      if (ends[slot] !== 0 && !this.setField(slot, starts[slot]!, ends[slot]!)) return false
    }
    for (let at = 0; at < attributes; at++) {
      if (!this.addAttribute(keys[at]!, valueStarts[at]!, valueEnds[at]!)) return false
    }
    return true
  }

  /** For the few values that the rules of the plain path have to look at. */
  text(start: number, end: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, end - start).toString('utf8')
  }

  /** Whether the record can be taken, now that all of it was read. What it shares with others may stand elsewhere. */
  isWhole(start: number, end: number, bytesElsewhere = 0): boolean {
    const { receivedUs } = this.#context
    this.length = end - start + this.made.length + bytesElsewhere
    if (this.ends[MESSAGE] === 0 || end - start > MAX_FAST_BYTES) return false
    if (!this.#hasLevel && !this.#readLevelOfMessage()) return false
    this.daysKept = this.#findDaysKept()
    if (this.timeUs > receivedUs + MAX_AHEAD_US || this.timeUs < receivedUs - this.daysKept * DAY_US) return false
    // Last, because it costs the most and the plain path does it again.
    return !this.hasSecret()
  }

  /** False for an error, which is left to the plain path. */
  #readLevelOfMessage(): boolean {
    const [start, end] = [this.starts[MESSAGE]!, this.ends[MESSAGE]!]
    if (!mayHaveLayout(this.bytes, start, end)) return true
    const level = levelOfText(this.text(start, end))
    return level === null || this.setLevel(LEVEL_NUMBER[level])
  }

  #findDaysKept(): number {
    const { retentionDays, retentionRules, defaultEnvironment } = this.#context
    if (!retentionRules?.length) return retentionDays
    return daysKept(this.#context, {
      level: LEVELS[this.level - 1]!,
      service: this.#textOf(SERVICE),
      environment: this.ends[ENVIRONMENT] === 0 ? defaultEnvironment : this.#textOf(ENVIRONMENT),
    })
  }

  /** Of one of our fields; its text stands in the bytes or was made. */
  #textOf(slot: number): string {
    const [start, end] = [this.starts[slot]!, this.ends[slot]!]
    if (start < MADE) return this.text(start, end)
    return Buffer.from(this.made.bytes.subarray(start - MADE, end - MADE)).toString('utf8')
  }

  /** One of its texts would not stay as it is. */
  hasSecret(): boolean {
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

  /** A text that begins at `start`, after its quote, for one of our fields. */
  addField({ alias }: FieldName, start: number): number {
    const { slot, accepts } = alias
    // What is empty counts as not sent.
    if (this.bytes[start] === QUOTE) return start
    if (slot === TIME) return this.#addTime(start)
    if (slot === SENT_LEVEL) return accepts === 'levelName' ? 0 : this.#addLevel(start)
    return this.addSlot(slot, start)
  }

  /** The same for a field that needs no name, and for a text that is not empty. */
  addSlot(slot: number, start: number): number {
    const end = this.#endOfField(slot, start)
    return end !== 0 && this.setField(slot, start, end) ? end : 0
  }

  /** As `addField`, for a text whose end is known. */
  addFieldBetween({ alias }: FieldName, start: number, end: number): boolean {
    if (start === end) return true
    if (alias.slot === TIME || alias.slot === SENT_LEVEL) return false
    return this.addSlotBetween(alias.slot, start, end)
  }

  addSlotBetween(slot: number, start: number, end: number): boolean {
    const walked = this.#walkBetween(start, end)
    if (walked === 0) return false
    if (slot === MESSAGE) this.isMessageWide = isWide(walked)
    return this.setField(slot, start, end)
  }

  /** False when the field has a value already, or one that is too long. */
  setField(slot: number, start: number, end: number): boolean {
    if (this.ends[slot] !== 0 || (end - start > MAX_NAME_CHARACTERS && slot !== MESSAGE)) return false
    this.starts[slot] = start
    this.ends[slot] = end
    return true
  }

  /** A number for one of our fields. */
  addFieldNumber({ alias, key }: FieldName, start: number, end: number): number {
    const { slot, accepts } = alias
    const value = Number(this.text(start, end))
    if (slot === TIME) {
      const { receivedUs } = this.#context
      const timeUs = parseTimestamp(value, receivedUs)
      return timeUs !== null && isUsable(alias, value, receivedUs) && this.setTime(timeUs) ? end : 0
    }
    if (slot !== SENT_LEVEL) return 0
    // The state of a request, say: not a level, and so an attribute.
    if (accepts === 'levelName') return key !== null && this.addAttribute(key, start, end) ? end : 0
    const level = levelOfSent(value)
    return level !== null && this.setLevel(LEVEL_NUMBER[level]) ? end : 0
  }

  /** A text that begins at `start`, after its quote, as an attribute. */
  addAttributeText(key: AttributeKey, start: number): number {
    const walked = this.#walk(start)
    if (walked === 0) return 0
    const end = endOf(walked)
    if (key.hidesIf?.(this.text(start, end))) return 0
    // Its quotes say that it is not a number, so it is kept with them.
    const isKeptQuoted = this.#mayBeScalar(start, end) && readsAsScalar(this.text(start, end))
    const isAdded = isKeptQuoted ? this.addAttribute(key, start - 1, end + 1) : this.addAttribute(key, start, end)
    return isAdded ? end : 0
  }

  /** As `addAttributeText`, for a text whose end is known. */
  addAttributeBetween(key: AttributeKey, start: number, end: number): boolean {
    const { bytes, made } = this
    // With its quotes it may read as a JSON string.
    if (bytes[start] === QUOTE || this.#walkBetween(start, end) === 0) return false
    if (key.hidesIf?.(this.text(start, end))) return false
    if (!this.#mayBeScalar(start, end) || !readsAsScalar(this.text(start, end))) {
      return this.addAttribute(key, start, end)
    }
    const from = made.quoted(bytes, start, end)
    return from !== 0 && this.addAttribute(key, from, made.end)
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
    return this.#heard(walkText(this.bytes, start, this.limit), start)
  }

  /** 0 also for bytes that are not text, and for JSON, in which names may promise a secret. */
  #walkBetween(start: number, end: number): Walked {
    const { bytes } = this
    const walked = walkSpan(bytes, start, end)
    if (isWide(walked) && !isUtf8(bytes.subarray(start, end))) return 0
    const first = bytes[start]!
    const mayBeJson = first === OPEN_BRACE || first === OPEN_BRACKET || first <= SPACE
    return mayBeJson && bytes.subarray(start, end).includes(QUOTE) ? 0 : this.#heard(walked, start)
  }

  #heard(walked: Walked, start: number): Walked {
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
    return typeof timeUs === 'number' && this.setTime(timeUs) ? end : 0
  }

  setTime(timeUs: number): boolean {
    if (this.#hasTime) return false
    this.#hasTime = true
    this.timeUs = timeUs
    return true
  }

  #addLevel(start: number): number {
    const end = walkName(this.bytes, start, this.limit)
    const level = levelOfBytes(this.bytes, start, end)
    return level !== 0 && this.setLevel(level) ? end : 0
  }

  /** Errors have a fingerprint, for which the plain path reads more than one field: they are left as soon as they are known. */
  setLevel(level: number): boolean {
    if (this.#hasLevel || level >= FIRST_ERROR_LEVEL) return false
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
