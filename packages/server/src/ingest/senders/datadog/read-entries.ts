/**
 * Datadog's log intake: one entry or a list of them. What the message itself says, when it is JSON, comes first, then the
 * fields of the entry, then its tags.
 */
import { isObject } from '@tidemark/wire/is-object'
import { LEVEL_WORDS } from '@tidemark/wire/level'
import { MAX_ATTRIBUTES } from '@tidemark/wire/limits'
import { inflate } from '../../../bytes/inflate.ts'
import { scanJson } from '../../../bytes/scan-json.ts'
import { AppError } from '../../../errors.ts'
import { MAX_RECORDS } from '../../limits.ts'
import { add, textBytes } from '../../parse/fill-batch.ts'
import { mediaTypeOf } from '../../parse/media-type.ts'
import { parseChecked } from '../../parse/parse-checked.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { ALIASES, SLOT_NUMBER } from '../../record/aliases.ts'
import { type BatchContext, finishRecord } from '../../record/finish-record.ts'
import type { Normalized } from '../../record/normalize.ts'
import { aliasFor, RecordDraft } from '../../record/record-draft.ts'
import { shortened } from '../../record/shortened.ts'
import { BESIDE, offerBeside, offerNamed, ownNames } from '../offer-named.ts'
import { createLineReader } from '../read-line.ts'
import type { ReadSender } from '../sender.ts'

/** Below what the message says, and as for Datadog above the other names of an entry for its level. */
const STATUS = aliasFor('level', BESIDE - 1)
const NO_OWN_NAMES = ownNames({})

export const readEntries: ReadSender = (input, batch, context, sink) => {
  const type = mediaTypeOf(input.contentType)
  if (type !== 'json' && type !== 'guess') {
    throw new AppError('unsupported_media_type', 'Send log entries as application/json.')
  }
  const bytes = textBytes(inflate(input.body, input.contentEncoding))
  const scan = scanJson(bytes)
  const parsed = parseChecked(bytes, scan)
  if (!Array.isArray(parsed) && !isObject(parsed)) {
    throw new AppError('invalid_request', 'The body must be one log entry as JSON, or a JSON list of entries.')
  }
  // An empty object is how the Agent asks whether anybody is there.
  const entries: unknown[] = Array.isArray(parsed) ? parsed : Object.keys(parsed).length === 0 ? [] : [parsed]
  if (entries.length > MAX_RECORDS) throw tooManyRecords()
  const draft = new RecordDraft(context.receivedUs)
  const readLine = createLineReader(context, scan.values)
  for (const entry of entries) {
    context.needsCleaning = scan.hasSuspectEscapes
    add(batch, batch.total++, readEntry(draft, entry, context, readLine), sink)
  }
  return bytes
}

function readEntry(
  draft: RecordDraft,
  entry: unknown,
  context: BatchContext,
  readLine: ReturnType<typeof createLineReader>,
): Normalized {
  if (!isObject(entry)) return `A log entry must be a JSON object, not ${shortened(entry)}.`
  draft.reset()
  const { message, ddtags } = entry
  if (typeof message === 'string' && message !== '') readLine(draft, message)
  else draft.set('message', message)
  for (const key in entry) {
    if (key === 'message' || (key === 'ddtags' && typeof ddtags === 'string')) continue
    const alias = ALIASES.get(key)
    if (key === 'status') readStatus(draft, entry[key])
    // A time or a text that the message gives as well is trusted there.
    else if (alias?.slot === SLOT_NUMBER.time || alias?.slot === SLOT_NUMBER.message) {
      if (!draft.offer({ ...alias, rank: alias.rank + BESIDE }, key, entry[key])) draft.read(key, entry[key], 1)
    } else offerNamed(draft, key, entry[key], NO_OWN_NAMES)
  }
  if (typeof ddtags === 'string') readTags(draft, ddtags)
  return finishRecord(draft, context)
}

/** The level as a word or one of syslog's numbers. Anything else, such as the status of an answer, is an attribute. */
function readStatus(draft: RecordDraft, status: unknown): void {
  if (status === null || status === '') return
  const text = typeof status === 'string' || typeof status === 'number' ? String(status).trim().toLowerCase() : ''
  if (LEVEL_WORDS.has(text) || /^[0-7]$/.test(text)) offerBeside(draft, STATUS, 'status', status)
  else draft.read('status', status, 1)
}

/** `env:production,team:payments,urgent`: a tag without a value is true. Too many refuse the entry. */
function readTags(draft: RecordDraft, tags: string): void {
  draft.collisionPrefix = 'tag.'
  let count = 0
  for (let start = 0; start < tags.length; ) {
    const comma = tags.indexOf(',', start)
    const tag = tags.slice(start, comma === -1 ? tags.length : comma)
    start += tag.length + 1
    const colon = tag.indexOf(':')
    const name = (colon === -1 ? tag : tag.slice(0, colon)).trim()
    if (name === '') continue
    if (++count > MAX_ATTRIBUTES) {
      draft.problem ??= `The entry has more than ${MAX_ATTRIBUTES} tags; at most that many attributes are allowed.`
      break
    }
    if (colon === -1) draft.keep(name, true, 1)
    else offerNamed(draft, name, tag.slice(colon + 1).trimEnd(), NO_OWN_NAMES)
  }
  draft.collisionPrefix = ''
}
