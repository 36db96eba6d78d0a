/** OTLP messages that are not protobuf, or more than a request may hold. They are refused in OTLP's own form. */
import { gzipSync } from 'node:zlib'
import { field } from '../support/clients/ingest-protobuf.ts'
import { type BadInput, CANARY, INVALID, logs, TOO_LARGE, UNAUTHORIZED, UNSUPPORTED } from './row.ts'

const PROTOBUF = { 'content-type': 'application/x-protobuf' }

const request = (...records: Buffer[]) => field(1, field(2, Buffer.concat(records.map((record) => field(2, record)))))
const bodyOf = (text: string) => field(5, field(1, text))
const good = request(bodyOf(CANARY))

/** AnyValue { array_value { values: AnyValue { … } } } */
function nestedArrays(depth: number): Buffer {
  let value = field(1, CANARY)
  for (let level = 0; level < depth; level++) value = field(5, field(1, value))
  return value
}

const ENDLESS_VARINT = Buffer.alloc(11, 0xff)

const otlp = (name: string, body: () => Buffer, refusal = INVALID, headers = {}): BadInput => ({
  ...logs(`OTLP, ${name}`, refusal, body, { ...PROTOBUF, ...headers }),
  answersProtobuf: true,
})

export const PROTOBUF_BODIES: BadInput[] = [
  otlp('words', () => Buffer.from(CANARY)),
  otlp('JSON under the name of protobuf', () => Buffer.from(JSON.stringify({ resourceLogs: [], note: CANARY }))),
  otlp('noise', () => Buffer.alloc(64, 0xff)),
  otlp('a message that is cut off', () => good.subarray(0, -5)),
  otlp('a length without its bytes', () => Buffer.from([10, 127])),
  otlp('a length of four gigabytes', () => Buffer.from([10, 0xff, 0xff, 0xff, 0xff, 0x0f])),
  otlp('a field that leaves its message', () => Buffer.concat([Buffer.from([10, 3, 18, 9]), bodyOf(CANARY)])),
  otlp('a tag that never ends', () => Buffer.concat([good, ENDLESS_VARINT])),
  otlp('a length that never ends', () => Buffer.concat([Buffer.from([10]), ENDLESS_VARINT])),
  otlp('an integer that never ends', () =>
    request(Buffer.concat([bodyOf(CANARY), field(6, Buffer.concat([field(1, 'k'), field(2, endlessInteger())]))])),
  ),
  otlp('field number zero', () => Buffer.concat([good, Buffer.from([2, 1, 65])])),
  otlp('a group, which nobody sends any more', () => Buffer.concat([good, Buffer.from([11, 12])])),
  otlp('an unknown wire type', () => Buffer.concat([good, Buffer.from([15])])),
  otlp('a time of four bytes', () => request(Buffer.concat([bodyOf(CANARY), Buffer.from([9, 1, 2, 3, 4])]))),
  otlp('a value of 40 levels', () => request(field(5, nestedArrays(40)))),
  otlp('a value of 10,000 levels', () => request(field(5, nestedArrays(10_000)))),
  otlp('50,001 records', () => request(...Array.from({ length: 50_001 }, () => bodyOf(CANARY))), TOO_LARGE),
  otlp('broken gzip', () => gzipSync(good).subarray(0, 15), INVALID, { 'content-encoding': 'gzip' }),
  otlp('zstd', () => good, UNSUPPORTED, { 'content-encoding': 'zstd' }),
  otlp('a gzip bomb', () => gzipSync(request(bodyOf('0'.repeat(25 * 1024 * 1024)))), TOO_LARGE, {
    'content-encoding': 'gzip',
  }),
  otlp('no key', () => good, UNAUTHORIZED, { authorization: '' }),
  otlp('a bad batch id', () => good, INVALID, { 'x-batch-id': 'a b' }),
]

function endlessInteger(): Buffer {
  return Buffer.concat([Buffer.from([24]), ENDLESS_VARINT])
}
