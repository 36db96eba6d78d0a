import type { Slot } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import type { Level } from '@tidemark/wire/level'
import {
  MAX_AHEAD_HOURS,
  MAX_AHEAD_US,
  MAX_ATTRIBUTES,
  MAX_MESSAGE_BYTES,
  MAX_NAME_CHARACTERS,
  MAX_RECORD_BYTES,
} from '@tidemark/wire/limits'
import { longestRetention, type Retention, TOO_OLD } from '@tidemark/wire/retention'
import { levelOfText } from '@tidemark/wire/senders/line-layouts'
import { levelOfSent, levelOfSeverityNumber } from '@tidemark/wire/senders/sent-level'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { cutToBytes } from '@tidemark/wire/text/cut-bytes'
import { cutToUnits } from '@tidemark/wire/text/cut-text'
import { errorHeadline } from '@tidemark/wire/text/error-headline'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { DAY_US } from '@tidemark/wire/time/units'
import { environmentProblem } from '../../model/environment-name.ts'
import type { AttributeValue, ErrorDetail, LogRecord } from '../../model/log-record.ts'
import { daysKept } from '../../model/retention.ts'
import { NOT_STORABLE, storableText } from '../../model/storable-text.ts'
import type { Redaction } from '../../redaction/redact.ts'
import { MAX_KEY_BYTES } from '../limits.ts'
import { completeError, errorFromStack, errorFromValue } from './find-error.ts'
import type { RecordDraft } from './record-draft.ts'
import { shortened } from './shortened.ts'
import { parseTimestamp } from './timestamp.ts'

/** What holds for every record of one batch. */
export type BatchContext = Retention & {
  receivedUs: number
  defaultEnvironment: string
  /** False when the bytes cannot have held NUL or half a surrogate pair. */
  needsCleaning: boolean
  redaction: Redaction
  redactionCounts: Map<string, number>
}

/**
 * A draft made into a record, or the sentence that says why not. The order matters: sizes are judged as sent, secrets are
 * redacted before the message is cut (a cut could leave half a secret that no rule knows), and cleaning comes before both.
 */
export function finishRecord(draft: RecordDraft, context: BatchContext): LogRecord | string {
  const timeUs = readTime(draft, context)
  if (typeof timeUs === 'string') return timeUs
  const environment = readEnvironment(draft)
  if (typeof environment !== 'string') return environment.problem
  const level = readLevel(draft)
  const error = readError(draft)
  const message = readMessage(draft, error)
  if (message === '') return 'A record needs a `message` or an `error`.'

  const record: LogRecord = {
    timeUs,
    level,
    environment: environment === '' ? context.defaultEnvironment : environment,
    environmentDefaulted: environment === '',
    service: readName(draft, 'service'),
    host: readName(draft, 'host'),
    logger: readName(draft, 'logger'),
    release: readName(draft, 'release'),
    traceId: readName(draft, 'traceId'),
    spanId: readName(draft, 'spanId'),
    message,
    truncated: false,
    error,
    attributes: draft.attributes,
  }
  const problem = draft.problem ?? overLimit(record) ?? addFoundError(record)
  if (problem !== null) return problem
  if (context.needsCleaning) cleanRecord(record)
  context.redaction.record(record, context.redactionCounts)
  cutRecord(record)
  return pastRetention(record, draft, context) ?? record
}

function readTime(draft: RecordDraft, context: BatchContext): number | string {
  const { receivedUs } = context
  const sent = draft.exactTimeUs ?? draft.value('time')
  if (sent === undefined) return receivedUs
  const timeUs = draft.exactTimeUs ?? parseTimestamp(sent, receivedUs)
  if (timeUs === null) {
    return `The time "${shortened(sent)}" in \`${draft.key('time')}\` is not understood. Send RFC 3339 or an epoch.`
  }
  if (timeUs > receivedUs + MAX_AHEAD_US)
    return `The time "${shownTime(draft)}" is more than ${MAX_AHEAD_HOURS} hours ahead: check the clock of the sender.`
  const longest = longestRetention(context)
  return isPast(timeUs, receivedUs, longest) ? tooOld(draft, 'records', longest) : timeUs
}

/** By the rule that applies to it as it is stored. */
function pastRetention(record: LogRecord, draft: RecordDraft, context: BatchContext): string | null {
  if (!context.retentionRules?.length) return null
  const days = daysKept(context, record)
  return isPast(record.timeUs, context.receivedUs, days) ? tooOld(draft, `such ${record.level} records`, days) : null
}

/** To the moment, where reading counts whole days: what it would still show is deleted within the day. */
function isPast(timeUs: number, receivedUs: number, days: number): boolean {
  return timeUs < receivedUs - days * DAY_US
}

function tooOld(draft: RecordDraft, what: string, days: number): string {
  return `The time "${shownTime(draft)}" ${TOO_OLD} ${what} (${counted(days, 'day')}).`
}

/** As it was sent, or in a readable form when it was a count of nanoseconds. */
function shownTime(draft: RecordDraft): string {
  return draft.exactTimeUs === null ? shortened(draft.value('time')) : new Date(draft.exactTimeUs / 1_000).toISOString()
}

function readEnvironment(draft: RecordDraft): string | { problem: string } {
  const value = draft.value('environment')
  if (value === undefined) return ''
  if (typeof value !== 'string') return { problem: `\`environment\` must be a text, not ${shortened(value)}.` }
  const problem = environmentProblem(value)
  if (problem === 'too long')
    return { problem: `\`environment\` has more than ${MAX_NAME_CHARACTERS} characters: shorten it.` }
  if (problem === 'not storable') {
    return { problem: `\`environment\` ${NOT_STORABLE}, which cannot be matched to a deploy.` }
  }
  return value
}

function readLevel(draft: RecordDraft): Level {
  const value = draft.value('level')
  if (value === undefined) return levelOfText(readName(draft, 'message')) ?? 'info'
  const isSeverityNumber = draft.alias('level')?.accepts === 'severityNumber'
  const level = isSeverityNumber ? levelOfSeverityNumber(value) : levelOfSent(value)
  if (level === null) draft.keep('level.original', isObject(value) ? JSON.stringify(value) : value, 1)
  return level ?? 'info'
}

function readName(draft: RecordDraft, slot: Slot): string {
  const value = draft.value(slot)
  if (value === undefined) return ''
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readMessage(draft: RecordDraft, error: ErrorDetail | null): string {
  const message = readName(draft, 'message')
  if (message !== '' || error === null) return message
  return errorHeadline(error.type, error.message) || error.stack
}

/** From the fields that promise an error. Anything in them that is not type, message or stack stays an attribute. */
function readError(draft: RecordDraft): ErrorDetail | null {
  const value = draft.value('error')
  const found = value === undefined ? null : errorFromValue(value)
  const stack = readName(draft, 'errorStack')
  const detail: ErrorDetail = {
    type: fill(draft, 'errorType', found?.detail.type),
    message: fill(draft, 'errorMessage', found?.detail.message),
    stack: found?.detail.stack || stack,
  }
  if (found !== null) {
    if (stack !== '' && detail.stack !== stack) draft.keep(draft.key('errorStack'), stack, 1)
    if (isObject(value)) {
      const key = draft.key('error')
      for (const name in value) if (!found.used.has(name)) draft.keep(`${key}.${name}`, value[name], 2)
    }
  }
  if (detail.message !== '' || detail.stack !== '') return completeError(detail)
  // A type alone ("error.type": "timeout" beside a request) describes the record; it is not an error.
  if (detail.type !== '') draft.keep(draft.key('errorType'), detail.type, 1)
  return null
}

function fill(draft: RecordDraft, slot: 'errorType' | 'errorMessage', found: string | undefined): string {
  const offered = readName(draft, slot)
  if (found === undefined || found === '' || found === offered) return offered
  if (offered !== '') draft.keep(draft.key(slot), offered, 1)
  return found
}

/** Once it is known that there is not too much to look through. What is found counts as well. */
function addFoundError(record: LogRecord): string | null {
  record.error ??= findError(record.message, record.attributes)
  return record.error === null ? null : overLimit(record)
}

/** Stacks that nobody announced. The text stays where it is as well. */
function findError(message: string, attributes: Map<string, AttributeValue>): ErrorDetail | null {
  const inMessage = errorFromStack(message)
  if (inMessage !== null) return inMessage
  for (const value of attributes.values()) {
    if (typeof value !== 'string' || value.length < MIN_STACK_CHARACTERS) continue
    const inAttribute = errorFromStack(value)
    if (inAttribute !== null) return inAttribute
  }
  return null
}

const MIN_STACK_CHARACTERS = 20

function overLimit(record: LogRecord): string | null {
  if (record.attributes.size > MAX_ATTRIBUTES) {
    return `The record has ${withCommas(record.attributes.size)} attributes; at most ${withCommas(MAX_ATTRIBUTES)} are allowed.`
  }
  const { error } = record
  let bytes = textBytes(record.message)
  for (const slot of NAMES) bytes += textBytes(record[slot])
  if (error !== null && error.stack !== record.message) {
    bytes += textBytes(error.type) + textBytes(error.message) + textBytes(error.stack)
  }
  for (const [key, value] of record.attributes) {
    const keyBytes = textBytes(key)
    if (keyBytes > MAX_KEY_BYTES) {
      return `The attribute key "${shortened(key)}" has more than ${MAX_KEY_BYTES} bytes: shorten it.`
    }
    bytes += keyBytes + (typeof value === 'string' ? textBytes(value) : 8)
  }
  return bytes > MAX_RECORD_BYTES
    ? `The record holds more than ${sizeWords(MAX_RECORD_BYTES)}: send less with it.`
    : null
}

/** Exact for long texts; short ones are counted at their length, which ASCII makes exact and the limits make harmless. */
function textBytes(text: string): number {
  return text.length <= 32 ? text.length : Buffer.byteLength(text)
}

const NAMES = ['service', 'host', 'logger', 'release', 'traceId', 'spanId'] as const

function cleanRecord(record: LogRecord): void {
  record.message = storableText(record.message)
  for (const slot of NAMES) record[slot] = storableText(record[slot])
  if (record.error !== null) {
    const { type, message, stack } = record.error
    record.error = { type: storableText(type), message: storableText(message), stack: storableText(stack) }
  }
  const cleaned = new Map<string, AttributeValue>()
  for (const [key, value] of record.attributes) {
    cleaned.set(storableText(key), typeof value === 'string' ? storableText(value) : value)
  }
  record.attributes = cleaned
}

function cutRecord(record: LogRecord): void {
  const message = cutToBytes(record.message, MAX_MESSAGE_BYTES)
  record.truncated = message.length < record.message.length
  record.message = message
  for (const slot of NAMES) {
    if (record[slot].length > MAX_NAME_CHARACTERS) record[slot] = cutToUnits(record[slot], MAX_NAME_CHARACTERS)
  }
}
