/**
 * Datadog's log intake: one entry or a list of them. What the message itself says, when it is JSON, comes first, then the
 * fields of the entry, then its tags.
 */
import { isObject } from '@tidemark/wire/is-object'
import { AppError } from '../../../errors.ts'
import { MAX_ATTRIBUTES, MAX_RECORDS } from '../../limits.ts'
import { inflate } from '../../parse/inflate.ts'
import { mediaTypeOf } from '../../parse/media-type.ts'
import { parseChecked } from '../../parse/parse-checked.ts'
import { add, textBytes } from '../../parse/read-batch.ts'
import { scanJson } from '../../parse/scan-json.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { ALIASES, SLOT_NUMBER } from '../../record/aliases.ts'
import { type BatchContext, finishRecord } from '../../record/finish-record.ts'
import { RecordDraft } from '../../record/record-draft.ts'
import { shortened } from '../../record/shortened.ts'
import { offerNamed, ownNames } from '../offer-named.ts'
import { readLine } from '../read-line.ts'
import type { ReadSender } from '../sender.ts'

/** `status` is the level here, whatever it holds. */
const ENTRY_NAMES = ownNames({ level: 'status' })
const TAG_NAMES = ownNames({})

export const readEntries: ReadSender = (input, batch, context, sink) => {
  const type = mediaTypeOf(input.contentType)
  if (type !== 'json' && type !== 'guess') {
    throw new AppError('unsupported_media_type', 'Send log entries as application/json.')
  }
  const bytes = textBytes(inflate(input.body, input.contentEncoding))
  const scan = scanJson(bytes)
  const parsed = parseChecked(bytes, scan)
  if (!Array.isArray(parsed) && !isObject(parsed)) {
    throw new AppError('invalid_request', 'The body is not a JSON list of log entries, or one entry. Send one of them.')
  }
  const entries: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (entries.length > MAX_RECORDS) throw tooManyRecords()
  const draft = new RecordDraft(context.receivedUs)
  for (const entry of entries) {
    context.needsCleaning = scan.hasSuspectEscapes
    add(batch, batch.total++, readEntry(draft, entry, context), sink)
  }
  return bytes
}

function readEntry(draft: RecordDraft, entry: unknown, context: BatchContext) {
  if (!isObject(entry)) return `A log entry must be a JSON object, not ${shortened(entry)}.`
  draft.reset()
  const { message, ddtags } = entry
  if (typeof message === 'string' && message !== '') readLine(draft, message, context)
  else draft.set('message', message)
  for (const key in entry) {
    if (key === 'message' || (key === 'ddtags' && typeof ddtags === 'string')) continue
    const alias = ALIASES.get(key)
    // A time that the message gives as well is trusted there.
    if (alias?.slot === SLOT_NUMBER.time) {
      if (!draft.offer({ ...alias, rank: alias.rank + 200 }, key, entry[key])) draft.read(key, entry[key], 1)
    } else offerNamed(draft, key, entry[key], ENTRY_NAMES)
  }
  if (typeof ddtags === 'string') readTags(draft, ddtags)
  return finishRecord(draft, context)
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
    else offerNamed(draft, name, tag.slice(colon + 1).trimEnd(), TAG_NAMES)
  }
  draft.collisionPrefix = ''
}
