import { isObject } from '@tidemark/wire/is-object'
import { MAX_RECORD_BYTES } from '@tidemark/wire/limits'
import { MAX_JSON_DEPTH } from '../../bytes/limits.ts'
import { addValues, measureJson } from '../../bytes/scan-json.ts'
import { parseChecked } from '../parse/parse-checked.ts'
import type { BatchContext } from '../record/finish-record.ts'
import { readFields } from '../record/normalize.ts'
import type { RecordDraft } from '../record/record-draft.ts'

/** Reads the lines of one batch. The values in all of them are bounded, with `valuesBefore` of what is around them. */
export function createLineReader(context: BatchContext, valuesBefore = 0): (draft: RecordDraft, line: string) => void {
  let values = valuesBefore

  /** What is too large or too deep to be read as JSON stays a text, whose size is judged like that of any other. */
  function objectIn(line: string): Record<string, unknown> | null {
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

  /**
   * One line of a program's output. A JSON object is read like a record that came by itself; when it has no message, and
   * for every other text, the line is the message.
   */
  return (draft, line) => {
    const fields = objectIn(line)
    if (fields !== null) readFields(draft, fields)
    if (draft.value('message') === undefined && draft.value('error') === undefined) draft.set('message', line)
  }
}
