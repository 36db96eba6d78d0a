import { isObject } from '@tidemark/wire/is-object'
import type { LogRecord } from '../../model/log-record.ts'
import { ALIASES } from './aliases.ts'
import { errorFromValue } from './find-error.ts'
import { type BatchContext, finishRecord } from './finish-record.ts'
import { RecordDraft } from './record-draft.ts'
import { shortened } from './shortened.ts'

/** A record, or the sentence that says why there is none. */
export type Normalized = LogRecord | string

/** Returns a function that makes JSON values of one batch into records; `read` takes the fields of each. */
export function createNormalizer(context: BatchContext, read = readFields): (value: unknown) => Normalized {
  const draft = new RecordDraft(context.receivedUs)
  return (value) => {
    if (!isObject(value)) return `A record must be a JSON object, not ${shortened(value)}.`
    draft.reset()
    read(draft, value)
    return finishRecord(draft, context)
  }
}

/** The fields of a JSON object, each told by its name. */
export function readFields(draft: RecordDraft, value: Record<string, unknown>): void {
  let name: unknown
  // Only own keys come up: nothing that JSON.parse makes has an enumerable prototype, `__proto__` included.
  for (const key in value) {
    const item = value[key]
    const alias = ALIASES.get(key)
    if (alias !== undefined) {
      if (!draft.offer(alias, key, item)) draft.read(key, item, 1)
    } else if (key === 'attributes' && isObject(item)) {
      readAttributes(draft, item)
    } else if (key === 'name') {
      name = item
    } else if (key !== 'projectApiKey') {
      draft.read(key, item, 1)
    }
  }
  if (name !== undefined) readName(draft, value, name)
}

function readAttributes(draft: RecordDraft, attributes: Record<string, unknown>): void {
  for (const key in attributes) {
    const item = attributes[key]
    // An error object among the attributes is the record's error; a text there may be anything and stays.
    if (ERROR_KEYS.has(key) && isObject(item) && errorFromValue(item) !== null) {
      draft.offer({ ...ALIASES.get(key)!, rank: 100 }, key, item)
    } else {
      draft.read(key, item, 1)
    }
  }
}

export const ERROR_KEYS: ReadonlySet<string> = new Set(['error', 'err', 'exception', 'exc'])

/** `name` is the logger for pino, bunyan and Python, who all send one of these beside it; for others it is just a name. */
function readName(draft: RecordDraft, value: Record<string, unknown>, name: unknown): void {
  const isLogger = Object.hasOwn(value, 'pid') || Object.hasOwn(value, 'hostname') || Object.hasOwn(value, 'levelname')
  if (isLogger && typeof name === 'string') draft.offer({ ...ALIASES.get('logger')!, rank: 50 }, 'name', name)
  else draft.keep('name', name, 1)
}
