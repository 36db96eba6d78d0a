import { SLOTS } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import { MAX_ATTRIBUTES } from '@tidemark/wire/limits'
import { levelOfSent, levelOfSeverityNumber } from '@tidemark/wire/senders/sent-level'
import { withCommas } from '@tidemark/wire/text/counted'
import { MAX_SHARED_BYTES } from '../limits.ts'
import { SCOPE_VERSION } from './aliases.ts'
import { type BatchContext, finishRecord } from './finish-record.ts'
import type { Normalized } from './normalize.ts'
import { aliasFor, RecordDraft, SharedDraft } from './record-draft.ts'

/** OTLP logs after either wire form was read: values are plain JSON values, objects without a prototype. */
export type OtlpAttributes = readonly (readonly [key: string, value: unknown])[]

export type OtlpRecord = {
  /** Microseconds, a text that is not a time, or undefined when the sender gave neither time nor observed time. */
  time: number | string | undefined
  severityNumber: number
  severityText: string
  body: unknown
  attributes: OtlpAttributes
  droppedAttributes: number
  traceId: string
  spanId: string
  eventName: string
}

export type OtlpScope = { name: string; version: string; attributes: OtlpAttributes }

/** What the records of a group have in common. */
export type OtlpGroup = { resource: OtlpAttributes; scope: OtlpScope }

/**
 * Reads the OTLP records of one batch. A record's own attributes come first, then the scope's and the resource's; where
 * two share a key the outer one is prefixed with `scope.` or `resource.`. Scope and resource are read once for all their
 * records, which come one after the other.
 */
export class OtlpNormalizer {
  /** What scopes and resources take with each record but their first. */
  sharedBytes = 0

  readonly #context: BatchContext
  readonly #draft: RecordDraft
  #resource: Read<OtlpAttributes> | null = null
  #scope: Read<OtlpScope> | null = null
  #countedResource: OtlpAttributes | null = null
  #countedScope: OtlpScope | null = null

  constructor(context: BatchContext) {
    this.#context = context
    this.#draft = new RecordDraft(context.receivedUs)
  }

  /** Counts what the next record shares with others, whichever way it is read; false when that is too much. */
  count({ resource, scope }: OtlpGroup): boolean {
    if (resource === this.#countedResource) this.sharedBytes += this.#readResource(resource).bytes
    else this.#countedResource = resource
    if (scope === this.#countedScope) this.sharedBytes += this.#readScope(scope).bytes
    else this.#countedScope = scope
    return this.sharedBytes <= MAX_SHARED_BYTES
  }

  normalize(record: OtlpRecord, { resource, scope }: OtlpGroup): Normalized {
    const draft = this.#draft
    const ofScope = this.#readScope(scope)
    const ofResource = this.#readResource(resource)
    const shared = ofScope.steps.length + ofResource.steps.length
    if (shared > MOST_SHARED) {
      return `The resource and the scope of the record have ${withCommas(shared)} attributes; at most ${MAX_ATTRIBUTES} are allowed.`
    }
    draft.reset()
    readOwn(draft, record)
    draft.add(ofScope, 'scope.')
    draft.add(ofResource, 'resource.')
    return finishRecord(draft, this.#context)
  }

  #readResource(resource: OtlpAttributes): SharedDraft {
    if (this.#resource?.sent !== resource) {
      const shared = new SharedDraft(this.#context.receivedUs)
      for (const [key, value] of resource) shared.read(key, value, 1)
      this.#resource = { sent: resource, shared }
    }
    return this.#resource.shared
  }

  #readScope(scope: OtlpScope): SharedDraft {
    if (this.#scope?.sent !== scope) {
      const shared = new SharedDraft(this.#context.receivedUs)
      shared.offer(LOGGER, 'otel.scope.name', scope.name)
      if (scope.version !== '') shared.keep(SCOPE_VERSION, scope.version, 1)
      for (const [key, value] of scope.attributes) shared.read(key, value, 1)
      this.#scope = { sent: scope, shared }
    }
    return this.#scope.shared
  }
}

/** With more there are too many attributes, even if each of our fields takes one: no record of the group can be taken. */
const MOST_SHARED = MAX_ATTRIBUTES + SLOTS.length

type Read<Sent> = { sent: Sent; shared: SharedDraft }

function readOwn(draft: RecordDraft, record: OtlpRecord): void {
  if (typeof record.time === 'number') draft.exactTimeUs = record.time
  else draft.set('time', record.time)
  draft.set('traceId', record.traceId)
  draft.set('spanId', record.spanId)
  readSeverity(draft, record)
  const message = bodyText(record.body)
  draft.set('message', message === '' ? record.eventName : message)
  if (isObject(record.body) && message === record.body.message) {
    for (const name in record.body) if (name !== 'message') draft.read(`body.${name}`, record.body[name], 1)
  }
  if (record.eventName !== '') draft.keep('event.name', record.eventName, 1)
  for (const [key, value] of record.attributes) draft.read(key, value, 1)
  if (record.droppedAttributes > 0) draft.keep('otel.dropped_attributes_count', record.droppedAttributes, 1)
}

/** Ranked below a logger that the record names itself. */
const LOGGER = aliasFor('logger', 200)

/** The number decides; a text that says something else is kept, because it is what the program wrote. */
function readSeverity(draft: RecordDraft, { severityNumber, severityText }: OtlpRecord): void {
  const byNumber = levelOfSeverityNumber(severityNumber)
  if (byNumber === null) {
    draft.set('level', severityText)
    return
  }
  draft.set('level', byNumber)
  if (severityText !== '' && levelOfSent(severityText) !== byNumber) draft.keep('level.original', severityText, 1)
}

/** A structured body is its own `message` when it has one, else its JSON. */
function bodyText(body: unknown): string {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return body
  if (isObject(body) && typeof body.message === 'string' && body.message !== '') return body.message
  return typeof body === 'object' ? JSON.stringify(body) : String(body)
}

/** Ids of zeros mean none. */
export function idOrNone(hex: string): string {
  return hex.charCodeAt(0) === 0x30 && /^0+$/.test(hex) ? '' : hex
}
