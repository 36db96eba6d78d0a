import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../bytes/limits.ts'
import { AppError } from '../../errors.ts'
import { MAX_RECORDS } from '../limits.ts'
import { idOrNone, type OtlpGroup, type OtlpRecord, type OtlpScope } from '../record/otlp-record.ts'
import { type FastOtlpRecords, MAX_PLACES, type Span } from '../record/record-sink.ts'
import { ProtobufReader, WIRE_BYTES, WIRE_FIXED64, WIRE_VARINT } from './protobuf-reader.ts'
import { tooManyRecords } from './too-many-records.ts'

type Records = {
  fast: FastOtlpRecords | null
  /** A record was taken the fast way. */
  taken: (group: OtlpGroup) => void
  /** One that was read the plain way. Its texts, or some before it, may hold a NUL. */
  entry: (record: OtlpRecord, group: OtlpGroup, hasNul: boolean) => void
}

/**
 * OTLP's ExportLogsServiceRequest. Field numbers are those of opentelemetry-proto; a known number with an unexpected wire
 * type is skipped like an unknown one. A request that is broken anywhere is refused, also when records came before that.
 */
export function readOtlpProtobuf(bytes: Uint8Array, records: Records): void {
  const request = new ProtobufReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const walk: Walk = { ...records, bytes, budget: { records: 0, values: 0 } }
  while (!request.isAtEnd) {
    const tag = request.tag()
    if (tag === field(1, WIRE_BYTES)) readResourceLogs(request, walk)
    else request.skip(tag)
  }
}

type Walk = Records & { bytes: Uint8Array; budget: Budget }

/** Counted across the request, so that many small messages cannot do what one large one may not. */
type Budget = { records: number; values: number }

type Pair = [key: string, value: unknown]

function field(number: number, wire: number): number {
  return number * 8 + wire
}

function readResourceLogs(reader: ProtobufReader, walk: Walk): void {
  const resource: Pair[] = []
  const places: Span[] = []
  const outerEnd = reader.enter()
  // The resource may follow its records, so it is looked for first.
  const start = reader.position
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) note(readAttributes(reader, 1, resource, walk.budget), places)
    else reader.skip(tag)
  }
  reader.continueAt(start)
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(2, WIRE_BYTES)) readScopeLogs(reader, resource, places, walk)
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
}

function readScopeLogs(reader: ProtobufReader, resource: Pair[], resourcePlaces: Span[], walk: Walk): void {
  const scope = { name: '', version: '', attributes: [] as Pair[] } satisfies OtlpScope
  const places: Span[] = []
  const outerEnd = reader.enter()
  // So may the scope.
  const start = reader.position
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) note(readScope(reader, scope, walk.budget), places)
    else reader.skip(tag)
  }
  reader.continueAt(start)
  walk.fast?.beginGroup(walk.bytes, { resource: resourcePlaces, scope: places })
  const group = { resource, scope }
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(2, WIRE_BYTES)) takeRecord(reader, group, walk)
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
}

function takeRecord(reader: ProtobufReader, group: OtlpGroup, { fast, taken, entry, budget }: Walk): void {
  if (++budget.records > MAX_RECORDS) throw tooManyRecords()
  if (fast !== null) {
    const start = reader.position
    const outerEnd = reader.enter()
    const end = reader.end
    const isRead = fast.read(reader.position, end)
    reader.leave(outerEnd)
    if (isRead) {
      addValues(budget, fast.values)
      fast.take()
      taken(group)
      reader.continueAt(end)
      return
    }
    reader.continueAt(start)
  }
  entry(readRecord(reader, budget), group, reader.sawNul)
}

function note(place: Span, places: Span[]): void {
  if (places.length <= MAX_PLACES) places.push(place)
}

/** Returns where it stands. */
function readScope(
  reader: ProtobufReader,
  scope: { name: string; version: string; attributes: Pair[] },
  budget: Budget,
): Span {
  addValues(budget, 1)
  const outerEnd = reader.enter()
  const place = { start: reader.position, end: reader.end }
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) scope.name = reader.text()
    else if (tag === field(2, WIRE_BYTES)) scope.version = reader.text()
    else if (tag === field(3, WIRE_BYTES)) scope.attributes.push(readKeyValue(reader, 0, budget))
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return place
}

/** A message that is nothing but key-value pairs under one field number. Returns where it stands. */
function readAttributes(reader: ProtobufReader, number: number, into: Pair[], budget: Budget): Span {
  addValues(budget, 1)
  const outerEnd = reader.enter()
  const place = { start: reader.position, end: reader.end }
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(number, WIRE_BYTES)) into.push(readKeyValue(reader, 0, budget))
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return place
}

function readRecord(reader: ProtobufReader, budget: Budget): OtlpRecord {
  const attributes: Pair[] = []
  let timeUs = 0
  let observedUs = 0
  const record: OtlpRecord = {
    time: undefined,
    severityNumber: 0,
    severityText: '',
    body: null,
    attributes,
    droppedAttributes: 0,
    traceId: '',
    spanId: '',
    eventName: '',
  }
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_FIXED64)) timeUs = reader.nanosAsUs()
    else if (tag === field(11, WIRE_FIXED64)) observedUs = reader.nanosAsUs()
    else if (tag === field(2, WIRE_VARINT)) record.severityNumber = reader.uint32()
    else if (tag === field(3, WIRE_BYTES)) record.severityText = reader.text()
    else if (tag === field(5, WIRE_BYTES)) record.body = readAnyValue(reader, 0, budget)
    else if (tag === field(6, WIRE_BYTES)) attributes.push(readKeyValue(reader, 0, budget))
    else if (tag === field(7, WIRE_VARINT)) record.droppedAttributes = reader.uint32()
    else if (tag === field(9, WIRE_BYTES)) record.traceId = idOrNone(reader.encoded('hex'))
    else if (tag === field(10, WIRE_BYTES)) record.spanId = idOrNone(reader.encoded('hex'))
    else if (tag === field(12, WIRE_BYTES)) record.eventName = reader.text()
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
  if (timeUs > 0) record.time = timeUs
  else if (observedUs > 0) record.time = observedUs
  return record
}

function readKeyValue(reader: ProtobufReader, depth: number, budget: Budget): Pair {
  const pair: Pair = ['', null]
  let isEmpty = true
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) pair[0] = reader.text()
    else if (tag === field(2, WIRE_BYTES)) {
      isEmpty = false
      pair[1] = readAnyValue(reader, depth, budget)
    } else reader.skip(tag)
  }
  reader.leave(outerEnd)
  if (isEmpty) addValues(budget, 1)
  return pair
}

function readAnyValue(reader: ProtobufReader, depth: number, budget: Budget): unknown {
  if (depth > MAX_JSON_DEPTH) {
    throw new AppError(
      'invalid_request',
      `A value is nested deeper than ${MAX_JSON_DEPTH} levels. Send flatter records.`,
    )
  }
  addValues(budget, 1)
  let value: unknown = null
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) value = reader.text()
    else if (tag === field(2, WIRE_VARINT)) value = reader.uint32() !== 0
    else if (tag === field(3, WIRE_VARINT)) value = reader.int64()
    else if (tag === field(4, WIRE_FIXED64)) value = reader.double()
    else if (tag === field(5, WIRE_BYTES)) value = readArray(reader, depth + 1, budget)
    else if (tag === field(6, WIRE_BYTES)) value = readKeyValueList(reader, depth + 1, budget)
    else if (tag === field(7, WIRE_BYTES)) value = reader.encoded('base64')
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return value
}

function addValues(budget: Budget, values: number): void {
  budget.values += values
  if (budget.values > MAX_JSON_VALUES) {
    throw new AppError('invalid_request', 'The request holds too many values. Send smaller batches.')
  }
}

function readArray(reader: ProtobufReader, depth: number, budget: Budget): unknown[] {
  const values: unknown[] = []
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) values.push(readAnyValue(reader, depth, budget))
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return values
}

/** Without a prototype, so that a stranger's key is never more than a key. */
function readKeyValueList(reader: ProtobufReader, depth: number, budget: Budget): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null)
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) {
      const [key, value] = readKeyValue(reader, depth, budget)
      object[key] = value
    } else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return object
}
