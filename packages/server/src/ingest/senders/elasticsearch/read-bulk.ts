/**
 * The body of `_bulk`: a line that says what to do, and mostly a line with the document. As in Elasticsearch, a broken
 * document costs its own item and a broken action line the request.
 */
import { isObject } from '@tidemark/wire/is-object'
import { inflate } from '../../../bytes/inflate.ts'
import { MAX_JSON_DEPTH } from '../../../bytes/limits.ts'
import { addValues, type JsonScan, measureJson } from '../../../bytes/scan-json.ts'
import { AppError } from '../../../errors.ts'
import { isStorable, NOT_STORABLE } from '../../../model/storable-text.ts'
import { MAX_RECORDS } from '../../limits.ts'
import { add, type BulkAction, textBytes } from '../../parse/fill-batch.ts'
import { parseChecked } from '../../parse/parse-checked.ts'
import { createReaders } from '../../parse/program-lines.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { type BatchContext, finishRecord } from '../../record/finish-record.ts'
import type { Normalized } from '../../record/normalize.ts'
import { RecordDraft } from '../../record/record-draft.ts'
import type { ReadSender, Sender } from '../sender.ts'
import { readIndexName } from './index-name.ts'

type BulkSender = Extract<Sender, { protocol: 'elasticsearch' }>

export const readBulk: ReadSender<BulkSender> = (input, batch, context, sink) => {
  requireJsonLines(input.contentType)
  const bytes = textBytes(inflate(input.body, input.contentEncoding))
  const draft = new RecordDraft(context.receivedUs)
  const { readRecord } = createReaders(context)
  const lines = new BulkLines(bytes)
  const actions: BulkAction[] = []
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (actions.length >= MAX_RECORDS) throw tooManyRecords()
    const action = readAction(line, lines, input.sender.index)
    const hasSuspectId = lines.scan?.hasSuspectEscapes === true
    actions.push(action)
    const source = action.action === 'delete' ? undefined : lines.next(true)
    if (source === undefined && action.action !== 'delete') throw malformed('the last action has no document')
    const isKept = source !== undefined && (action.action === 'index' || action.action === 'create')
    const result = isKept
      ? readDocument(draft, source, action, { lines, context, readRecord, hasSuspectId })
      : refusal(action)
    add(batch, batch.total++, result, sink)
  }
  if (actions.length === 0) throw malformed('no requests added')
  batch.actions = actions
  batch.isNamedByBytes = actions.every(({ action, id }) => id !== null && (action === 'index' || action === 'create'))
  return bytes
}

function readAction(line: Uint8Array, lines: BulkLines, indexOfAddress: string): BulkAction {
  const value = lines.parse(line)
  // Elasticsearch 8 ignores further keys of the line, and winston-elasticsearch sends one with every document.
  const action = isObject(value) ? Object.keys(value).find(isAction) : undefined
  const target = isObject(value) && action !== undefined ? value[action] : undefined
  if (action === undefined || !isObject(target)) {
    throw malformed(
      `line ${lines.number} is not an action such as {"create":{"_index":"logs-shop-production"}}; known are create, index, update and delete`,
    )
  }
  // The other settings, such as `pipeline` or `require_alias`, mean nothing here. As there, null counts as not sent.
  const index = target._index ?? indexOfAddress
  const id = target._id ?? null
  if (typeof index !== 'string' || index === '' || index.length > MAX_NAME) {
    throw malformed(`line ${lines.number} names no index, and neither does the address`)
  }
  if (!isStorable(index)) throw malformed(`the index of line ${lines.number} ${NOT_STORABLE}`)
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') {
    throw malformed(`the _id in line ${lines.number} is not a text`)
  }
  if (String(id).length > MAX_NAME) throw malformed(`the _id in line ${lines.number} is longer than ${MAX_NAME}`)
  return { action, index, id: id === null ? null : String(id) }
}

/** Elasticsearch's limit for names of indices and ids, in its case bytes. */
const MAX_NAME = 512

const ACTIONS = ['index', 'create', 'update', 'delete'] as const

function isAction(name: string): name is BulkAction['action'] {
  return ACTIONS.some((action) => action === name)
}

function refusal({ action }: BulkAction): string {
  return `Records are never changed: "${action}" is refused. Send "create" or "index".`
}

type DocumentParts = Pick<ReturnType<typeof createReaders>, 'readRecord'> & {
  lines: BulkLines
  context: BatchContext
  hasSuspectId: boolean
}

function readDocument(
  draft: RecordDraft,
  source: Uint8Array,
  { index, id }: BulkAction,
  { lines, context, readRecord, hasSuspectId }: DocumentParts,
): Normalized {
  const document = lines.parse(source)
  if (document === TOO_DEEP) return `The document is nested deeper than ${MAX_JSON_DEPTH} levels. Send flatter records.`
  if (!isObject(document)) return 'The document is not a JSON object.'
  context.needsCleaning = lines.scan!.hasSuspectEscapes || hasSuspectId
  draft.reset()
  readRecord(draft, document)
  readIndexName(draft, index)
  if (id !== null) draft.keep('_id', id, 1)
  const isEmpty = Object.keys(document).length === 0
  if (draft.value('message') === undefined && draft.value('error') === undefined && !isEmpty) {
    draft.set('message', Buffer.from(source).toString('utf8').trim())
  }
  return finishRecord(draft, context)
}

function requireJsonLines(contentType: string): void {
  if (/^\s*(application\/(vnd\.elasticsearch\+)?(x-)?(nd)?json\b|$)/i.test(contentType)) return
  throw new AppError(
    'unsupported_media_type',
    'The Content-Type is not understood. Send application/x-ndjson or application/json.',
  )
}

const TOO_DEEP = Symbol('too deep')

/** The lines of a body, with the number of values in all of them bounded. */
class BulkLines {
  number = 0
  /** Of the line that was parsed last. */
  scan: JsonScan | undefined
  #at = 0
  #values = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    if (bytes.length === 0) throw malformed('request body is required')
    if (bytes[bytes.length - 1] !== NEWLINE) throw malformed('The bulk request must be terminated by a newline [\\n]')
  }

  /** Blank lines between items are passed over; `isDocument` takes what comes. */
  next(isDocument = false): Uint8Array | undefined {
    while (this.#at < this.#bytes.length) {
      const end = this.#bytes.indexOf(NEWLINE, this.#at)
      const line = this.#bytes.subarray(this.#at, end)
      this.#at = end + 1
      this.number++
      if (isDocument || line.some((byte) => byte !== 0x20 && byte !== 0x0d && byte !== 0x09)) return line
    }
    return undefined
  }

  /** Undefined when it is not JSON. */
  parse(line: Uint8Array): unknown {
    const scan = measureJson(line)
    this.#values = addValues(this.#values, scan.values)
    this.scan = scan
    return scan.depth > MAX_JSON_DEPTH ? TOO_DEEP : parseChecked(line, scan)
  }
}

const NEWLINE = 0x0a

function malformed(problem: string): AppError {
  return new AppError(
    'invalid_request',
    `The bulk request cannot be read: ${problem}. None of it was stored: correct it and send it again.`,
  )
}
