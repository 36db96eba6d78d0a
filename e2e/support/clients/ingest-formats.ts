/** The same record in every form the log door takes. Whatever the form, the same row must come out. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { field, fixed64Field, varintField } from './ingest-protobuf.ts'

export type LogRequest = { headers: Record<string, string>; body: string | Buffer }

const hourAgo = Math.floor(Date.now() / 1_000 - 3_600)
const TIME_US = hourAgo * 1_000_000 + 123_456
const TIME_NS = BigInt(TIME_US) * 1_000n
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const STACK = 'TypeError: card is null\n    at charge (/srv/shop/src/charge.ts:12:7)'

/** As the engine has it. Attributes are text there; nested ones carry dotted keys. */
export const EXPECTED_ROW = {
  timeUs: String(TIME_US),
  level: 'warn',
  environment: 'Staging ',
  environment_defaulted: false,
  service: 'shop',
  host: 'web-1',
  logger: 'checkout',
  release: '1.4.2',
  trace_id: TRACE_ID,
  span_id: SPAN_ID,
  truncated: false,
  error_type: 'TypeError',
  error_message: 'card is null',
  error_stack: STACK,
  attributes: { 'http.status': '502', 'http.route': '/pay', ok: 'true', note: 'plain', list: '[1,"a"]', ratio: '0.25' },
}

const record = (message: string) => ({
  timestamp: `${new Date(hourAgo * 1_000).toISOString().slice(0, 19)}.123456Z`,
  level: 'WARNING',
  environment: 'Staging ',
  service: 'shop',
  host: 'web-1',
  logger: 'checkout',
  release: '1.4.2',
  traceId: TRACE_ID,
  spanId: SPAN_ID,
  message,
  error: { type: 'TypeError', message: 'card is null', stack: STACK },
  attributes: { http: { status: 502, route: '/pay' }, ok: true, note: 'plain', list: [1, 'a'], ratio: 0.25 },
})

const as = (type: string, body: string | Buffer, encoding?: string): LogRequest => ({
  headers: {
    ...(type === '' ? {} : { 'content-type': type }),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  },
  body,
})
const JSON_TYPE = 'application/json'
const LINES_TYPE = 'application/x-ndjson'
const PROTOBUF_TYPE = 'application/x-protobuf'
const array = (message: string) => JSON.stringify([record(message)])

/** By the message of their record. */
export const FORMATS: Record<string, (message: string) => LogRequest> = {
  'an object with logs': (message) => as(JSON_TYPE, JSON.stringify({ logs: [record(message)] })),
  'an array': (message) => as(JSON_TYPE, array(message)),
  'one object': (message) => as('application/json; charset=utf-8', JSON.stringify(record(message))),
  'lines of JSON': (message) => as(LINES_TYPE, `${JSON.stringify(record(message))}\r\n\n`),
  'JSON after a byte order mark': (message) => as(JSON_TYPE, `\ufeff${array(message)}`),
  'text without a type': (message) => as('', array(message)),
  'an array in gzip': (message) => as(JSON_TYPE, gzipSync(array(message)), 'gzip'),
  'an array in deflate': (message) => as(JSON_TYPE, deflateSync(array(message)), 'deflate'),
  'an array in raw deflate': (message) => as(JSON_TYPE, deflateRawSync(array(message)), 'deflate'),
  'an array in br': (message) => as(JSON_TYPE, brotliCompressSync(array(message)), 'br'),
  'lines in gzip': (message) => as(LINES_TYPE, gzipSync(JSON.stringify(record(message))), 'GZIP'),
  'OTLP in JSON': (message) => as(JSON_TYPE, JSON.stringify(otlpJson(message))),
  'OTLP in protobuf': (message) => as(PROTOBUF_TYPE, otlpProtobuf(message)),
  'OTLP in protobuf in gzip': (message) => as(PROTOBUF_TYPE, gzipSync(otlpProtobuf(message)), 'gzip'),
}

const RESOURCE = {
  'service.name': 'shop',
  'service.version': '1.4.2',
  'host.name': 'web-1',
  'deployment.environment.name': 'Staging ',
}
const EXCEPTION = {
  'exception.type': 'TypeError',
  'exception.message': 'card is null',
  'exception.stacktrace': STACK,
}

function otlpJson(message: string) {
  const texts = (pairs: Record<string, string>) =>
    Object.entries(pairs).map(([key, stringValue]) => ({ key, value: { stringValue } }))
  return {
    resourceLogs: [
      {
        resource: { attributes: texts(RESOURCE) },
        scopeLogs: [
          {
            scope: { name: 'checkout' },
            logRecords: [
              {
                timeUnixNano: String(TIME_NS),
                severityNumber: 13,
                severityText: 'WARN',
                traceId: TRACE_ID,
                spanId: SPAN_ID,
                body: { stringValue: message },
                attributes: [
                  ...texts(EXCEPTION),
                  { key: 'http', value: { kvlistValue: { values: [{ key: 'status', value: { intValue: '502' } }] } } },
                  ...texts({ 'http.route': '/pay', note: 'plain' }),
                  { key: 'ok', value: { boolValue: true } },
                  { key: 'list', value: { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'a' }] } } },
                  { key: 'ratio', value: { doubleValue: 0.25 } },
                ],
              },
            ],
          },
        ],
      },
    ],
  }
}

function otlpProtobuf(message: string): Buffer {
  const text = (value: string) => field(1, value)
  const pair = (number: number, key: string, value: Buffer) =>
    field(number, Buffer.concat([field(1, key), field(2, value)]))
  const ratio = Buffer.alloc(9, 33)
  ratio.writeDoubleLE(0.25, 1)
  const logRecord = Buffer.concat([
    fixed64Field(1, TIME_NS),
    varintField(2, 13),
    field(3, 'WARN'),
    field(5, text(message)),
    ...Object.entries(EXCEPTION).map(([key, value]) => pair(6, key, text(value))),
    pair(6, 'http', field(6, pair(1, 'status', varintField(3, 502)))),
    pair(6, 'http.route', text('/pay')),
    pair(6, 'note', text('plain')),
    pair(6, 'ok', varintField(2, 1)),
    pair(6, 'list', field(5, Buffer.concat([field(1, varintField(3, 1)), field(1, text('a'))]))),
    pair(6, 'ratio', ratio),
    field(9, Buffer.from(TRACE_ID, 'hex')),
    field(10, Buffer.from(SPAN_ID, 'hex')),
  ])
  const resource = Buffer.concat(Object.entries(RESOURCE).map(([key, value]) => pair(1, key, text(value))))
  const scopeLogs = Buffer.concat([field(1, field(1, 'checkout')), field(2, logRecord)])
  return field(1, Buffer.concat([field(1, resource), field(2, scopeLogs)]))
}
