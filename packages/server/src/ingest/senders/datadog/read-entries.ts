/**
 * Datadog's log intake: one entry or a list of them. A message that is JSON comes first, then the fields of the entry, then
 * its tags, then the parameters of the address.
 */
import { isObject } from '@tidemark/wire/is-object'
import { LEVEL_WORDS } from '@tidemark/wire/level'
import { MAX_ATTRIBUTES } from '@tidemark/wire/limits'
import { inflate } from '../../../bytes/inflate.ts'
import { scanJson } from '../../../bytes/scan-json.ts'
import { AppError } from '../../../errors.ts'
import { isStorable } from '../../../model/storable-text.ts'
import { MAX_RECORDS, MAX_SHARED_BYTES } from '../../limits.ts'
import { add, textBytes } from '../../parse/fill-batch.ts'
import { mediaTypeOf } from '../../parse/media-type.ts'
import { parseChecked } from '../../parse/parse-checked.ts'
import { createReaders } from '../../parse/program-lines.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { ALIASES, SLOT_NUMBER } from '../../record/aliases.ts'
import { type BatchContext, finishRecord } from '../../record/finish-record.ts'
import type { Normalized } from '../../record/normalize.ts'
import { BESIDE, offerBeside, offerNamed, ownNames } from '../../record/offer-named.ts'
import { aliasFor, RecordDraft } from '../../record/record-draft.ts'
import { PAIR_BYTES, pairBytes, tooMuchShared } from '../../record/shared-bytes.ts'
import { shortened } from '../../record/shortened.ts'
import { DATADOG_PARAMETERS, type DatadogDefaults, type ReadSender, type Sender } from '../sender.ts'

/** Below what the message says, and as for Datadog above the other names of an entry for its level. */
const STATUS = aliasFor('level', BESIDE - 1)
const NO_OWN_NAMES = ownNames({})

type DatadogSender = Extract<Sender, { protocol: 'datadog' }>

export const readEntries: ReadSender<DatadogSender> = (input, batch, context, sink) => {
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
  const { defaults = {} } = input.sender
  batch.spreadBytes = checkedSpread(defaults, entries.length)
  const needsCleaning = scan.hasSuspectEscapes || !Object.values(defaults).every(isStorable)
  const { readLine } = createReaders(context, scan.values)
  for (const entry of entries) {
    context.needsCleaning = needsCleaning
    add(batch, batch.total++, readEntry(draft, entry, defaults, context, readLine), sink)
  }
  return bytes
}

/** The bytes that the parameters of the address take with each entry but the first. */
function checkedSpread(defaults: DatadogDefaults, entries: number): number {
  const bytes = Object.entries(defaults).reduce((sum, [name, value]) => sum + pairBytes(name, value), 0)
  const tags = defaults.ddtags?.split(',').length ?? 0
  const spread = Math.max(0, entries - 1) * (bytes + tags * PAIR_BYTES)
  if (spread > MAX_SHARED_BYTES) throw tooMuchShared()
  return spread
}

function readEntry(
  draft: RecordDraft,
  entry: unknown,
  defaults: DatadogDefaults,
  context: BatchContext,
  readLine: ReturnType<typeof createReaders>['readLine'],
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
  if (typeof ddtags === 'string') readTags(draft, ddtags, offerTag)
  readDefaults(draft, defaults)
  return finishRecord(draft, context)
}

/** The level as a word or one of syslog's numbers. Anything else, such as the status of an answer, is an attribute. */
function readStatus(draft: RecordDraft, status: unknown): void {
  if (status === null || status === '') return
  const text = typeof status === 'string' || typeof status === 'number' ? String(status).trim().toLowerCase() : ''
  if (LEVEL_WORDS.has(text) || /^[0-7]$/.test(text)) offerBeside(draft, STATUS, 'status', status)
  else draft.read('status', status, 1)
}

/** Unlike a tag of the entry, a default that the record states differently is not stored. */
function readDefaults(draft: RecordDraft, defaults: DatadogDefaults): void {
  for (const name of DATADOG_PARAMETERS) {
    const value = defaults[name]
    if (value === undefined) continue
    if (name === 'ddtags') readTags(draft, value, offerDefault)
    else offerDefault(draft, name, value)
  }
}

function offerDefault(draft: RecordDraft, name: string, value: string | true): void {
  const slot = ALIASES.get(name)?.slot
  const isStated = slot === undefined ? draft.attributes.has(name) : draft.valueAt(slot) !== undefined
  if (!isStated) offerTag(draft, name, value)
}

function offerTag(draft: RecordDraft, name: string, value: string | true): void {
  if (value === true) draft.keep(name, true, 1)
  else offerNamed(draft, name, value, NO_OWN_NAMES)
}

/** `env:production,team:payments,urgent`: a tag without a value is true. Too many refuse the entry. */
function readTags(draft: RecordDraft, tags: string, offer: typeof offerTag): void {
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
    offer(draft, name, colon === -1 ? true : tag.slice(colon + 1).trimEnd())
  }
  draft.collisionPrefix = ''
}
