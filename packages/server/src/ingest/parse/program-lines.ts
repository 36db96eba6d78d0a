/** Lines of a program's output, alone or in the `log` field that Docker and Fluent Bit put them in. */
import { isObject } from '@tidemark/wire/is-object'
import { MAX_RECORD_BYTES } from '@tidemark/wire/limits'
import { saidField } from '@tidemark/wire/said-field'
import { MAX_JSON_DEPTH } from '../../bytes/limits.ts'
import { addValues, measureJson } from '../../bytes/scan-json.ts'
import type { BatchContext } from '../record/finish-record.ts'
import { keepOwnTime } from '../record/keep-own-time.ts'
import { readFields } from '../record/normalize.ts'
import { offerNamed, ownNames } from '../record/offer-named.ts'
import type { RecordDraft } from '../record/record-draft.ts'
import { parseTimestamp } from '../record/timestamp.ts'
import { parseChecked } from './parse-checked.ts'

type Fields = Record<string, unknown>
type Readers = {
  readLine: (draft: RecordDraft, line: string) => void
  readRecord: (draft: RecordDraft, fields: Fields) => void
}

/** Readers for one batch. The values in all its lines are bounded, with `valuesBefore` of the JSON around them. */
export function createReaders(context: BatchContext, valuesBefore = 0): Readers {
  let values = valuesBefore

  /** Returns null for a line that is not a JSON object, or is too large or too deep to be parsed. It then stays text. */
  function objectIn(line: string): Fields | null {
    if (!/^\s*\{/.test(line) || line.length > MAX_RECORD_BYTES) return null
    const bytes = Buffer.from(line)
    const scan = measureJson(bytes)
    if (scan.depth > MAX_JSON_DEPTH) return null
    values = addValues(values, scan.values)
    const fields = parseChecked(bytes, scan)
    if (!isObject(fields)) return null
    if (scan.hasSuspectEscapes) context.needsCleaning = true
    return fields
  }

  /** A JSON object is read like a record that came by itself; without a message, and for other texts, the line is the message. */
  function readLine(draft: RecordDraft, line: string): void {
    const fields = objectIn(line)
    if (fields !== null) readRecord(draft, fields)
    requireMessage(draft, line)
  }

  /** A JSON object. When its message is a line in `log`, the fields in that line come first. */
  function readRecord(draft: RecordDraft, fields: Fields): void {
    const line = lineIn(fields)
    const inner = line === null ? null : objectIn(line)
    if (line === null || inner === null || Object.keys(inner).length === 0) {
      readFields(draft, line === null || line === fields.log ? fields : { ...fields, log: line })
      return
    }
    readFields(draft, inner)
    requireMessage(draft, line)
    readAround(draft, fields, context)
  }

  return { readLine, readRecord }
}

function requireMessage(draft: RecordDraft, line: string): void {
  if (draft.value('message') === undefined && draft.value('error') === undefined) draft.set('message', line)
}

/** The text in `log` without its line end, where it is the message of the record. */
function lineIn(fields: Fields): string | null {
  const { log } = fields
  if (typeof log !== 'string' || saidField(fields, 'message')?.name !== 'log') return null
  return log.replace(/\r?\n$/, '') || null
}

/** The fields around a line that is a record. As in other protocols, their time wins and everything else comes second. */
function readAround(draft: RecordDraft, fields: Fields, context: BatchContext): void {
  const time = saidField(fields, 'time')
  const timeUs = time === undefined ? null : parseTimestamp(time.value, context.receivedUs)
  for (const name in fields) {
    if (name === 'log' || name === 'projectApiKey' || (timeUs !== null && name === time?.name)) continue
    offerNamed(draft, name, fields[name], NO_OWN_NAMES)
  }
  if (timeUs === null) return
  keepOwnTime(draft, timeUs, context)
  draft.exactTimeUs = timeUs
}

const NO_OWN_NAMES = ownNames({})
