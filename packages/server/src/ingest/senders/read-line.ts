import { isObject } from '@tidemark/wire/is-object'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_RECORD_BYTES } from '../limits.ts'
import { parseChecked } from '../parse/parse-checked.ts'
import { measureJson } from '../parse/scan-json.ts'
import type { BatchContext } from '../record/finish-record.ts'
import { readFields } from '../record/normalize.ts'
import type { RecordDraft } from '../record/record-draft.ts'

/**
 * One line of a program's output. A JSON object is read like a record that came by itself; when it has no message, and
 * for every other text, the line is the message.
 */
export function readLine(draft: RecordDraft, line: string, context: BatchContext): void {
  const fields = objectIn(line, context)
  if (fields !== null) readFields(draft, fields)
  if (draft.value('message') === undefined && draft.value('error') === undefined) draft.set('message', line)
}

/** What is too large or too deep to be read as JSON stays a text, whose size is judged like that of any other. */
function objectIn(line: string, context: BatchContext): Record<string, unknown> | null {
  if (!/^\s*\{/.test(line) || line.length > MAX_RECORD_BYTES) return null
  const bytes = Buffer.from(line)
  const scan = measureJson(bytes)
  if (scan.depth > MAX_JSON_DEPTH || scan.values > MAX_JSON_VALUES) return null
  const value = parseChecked(bytes, scan)
  if (!isObject(value)) return null
  if (scan.hasSuspectEscapes) context.needsCleaning = true
  return value
}
