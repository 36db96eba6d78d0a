/** What is wrong with the text of a log request or with every record in it. */
import { DAY_MS } from '../../packages/wire/src/time/units.ts'
import { allRejected, type BadInput, CANARY, INVALID, logs, record, TOO_LARGE, UNSUPPORTED } from './row.ts'

const MIB = 1024 * 1024
const json = (value: unknown) => () => JSON.stringify(value)
const text = (body: string) => () => body
const repeated = (count: number) => () => `[${Array.from({ length: count }, () => JSON.stringify(record())).join()}]`

/** A value nested inside `depth` arrays. */
const nested = (depth: number, value: string) => '['.repeat(depth) + value + ']'.repeat(depth)
const nestedObject = (depth: number): unknown => (depth === 0 ? CANARY : { a: nestedObject(depth - 1) })

const NOT_JSON: BadInput[] = [
  logs('an empty body', INVALID, text('')),
  logs('white space only', INVALID, text(' \r\n\t ')),
  logs('an object that is cut off', INVALID, text(`{"message":"${CANARY}","level":"err`)),
  logs('an array that is cut off', INVALID, text(`[{"message":"${CANARY}"},`)),
  logs('a trailing comma', INVALID, text(`{"message":"${CANARY}",}`)),
  logs('single quotes', INVALID, text(`{'message':'${CANARY}'}`)),
  logs('a comment', INVALID, text(`{"message":"${CANARY}" /* why not */}`)),
  logs('NaN', INVALID, text(`{"message":"${CANARY}","attributes":{"a":NaN}}`)),
  logs('a raw line break in a text', INVALID, text(`{"message":"${CANARY}\n"}`)),
  logs('an unknown escape', INVALID, text(`{"message":"${CANARY}\\x00"}`)),
  logs('plain words', INVALID, text(CANARY)),
  logs('a page of HTML', INVALID, text(`<html>${CANARY}</html>`)),
  logs('a NUL after the document', INVALID, text(`{"message":"${CANARY}"}\0`)),
]

const WRONG_SHAPE: BadInput[] = [
  logs('a text', INVALID, json(CANARY)),
  logs('a number', INVALID, text('42')),
  logs('true', INVALID, text('true')),
  logs('null', INVALID, text('null')),
  logs('`logs` that is an object', INVALID, json({ logs: record() })),
  logs('`logs` that is a text', INVALID, json({ logs: CANARY })),
  logs('`logs` that is null', INVALID, json({ logs: null, message: CANARY })),
  logs('`resourceLogs` that is a text', INVALID, json({ resourceLogs: CANARY })),
  logs('records that are no objects', allRejected(5), json([CANARY, 1, null, true, [record()]])),
  logs('a record without a message', allRejected(), json({ level: 'info', note: CANARY })),
  logs('a record with an empty message', allRejected(), json({ message: '', note: CANARY })),
  logs('a message that is only in the prototype', allRejected(), text(`{"__proto__":{"message":"${CANARY}"}}`)),
  logs(
    'records that are only in the prototype',
    allRejected(),
    text(`{"__proto__":{"logs":[{"message":"${CANARY}"}]}}`),
  ),
  logs('a constructor with a prototype', allRejected(), text(`{"constructor":{"prototype":{"message":"${CANARY}"}}}`)),
  logs('lines that are no JSON', allRejected(2), text(`${CANARY}\n{"message":"${CANARY}"`), {
    'content-type': 'application/x-ndjson',
  }),
]

const TOO_MUCH: BadInput[] = [
  logs('33 levels', INVALID, () => nested(33, JSON.stringify(CANARY))),
  logs('a hundred thousand open brackets', INVALID, () => '['.repeat(100_000)),
  logs('a million levels of objects', INVALID, () => '{"a":'.repeat(1_000_000)),
  logs('lines of 33 levels', INVALID, () => `{"message":"${CANARY}"}\n${nested(33, '1')}`, {
    'content-type': 'application/x-ndjson',
  }),
  logs('two million and one values', INVALID, () => `{"message":"${CANARY}","a":[${'1,'.repeat(2_000_001)}1]}`),
  logs('two million empty objects', INVALID, () => `[${'{},'.repeat(2_000_001)}{}]`),
  logs('attributes of 9 levels', allRejected(), json(record({ attributes: nestedObject(9) }))),
  logs('257 attributes', allRejected(), () =>
    JSON.stringify(record({ attributes: Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`a${i}`, i])) })),
  ),
  logs('an attribute key of 129 bytes', allRejected(), json(record({ attributes: { ['k'.repeat(129)]: 1 } }))),
  logs('a record of more than 256 KiB', allRejected(), json(record({ attributes: { a: 'x'.repeat(256 * 1024) } }))),
  logs('more than 20 MiB', TOO_LARGE, () => JSON.stringify(record({ a: 'x'.repeat(20 * MIB) }))),
  { ...logs('more than 20 MiB without a length', TOO_LARGE, () => ''), ...chunkedHuge() },
  logs('50,001 records', TOO_LARGE, repeated(50_001)),
  logs('50,001 lines', TOO_LARGE, () => `${JSON.stringify(record())}\n`.repeat(50_001), {
    'content-type': 'application/x-ndjson',
  }),
  logs('records of 9 days', INVALID, () =>
    JSON.stringify(
      Array.from({ length: 9 }, (_, day) => record({ timestamp: new Date(Date.now() - day * DAY_MS).toISOString() })),
    ),
  ),
]

const BAD_FIELDS: BadInput[] = [
  ...[
    ['that is no time', 'yesterday, about noon'],
    ['on 30 February', '2026-02-30T12:00:00Z'],
    ['at 25 o’clock', '2026-02-03T25:00:00Z'],
    ['that is an object', { seconds: 1 }],
    ['that is true', true],
    ['before 1970', -1],
    ['25 hours ahead', new Date(Date.now() + 25 * 3_600_000).toISOString()],
    ['older than the retention', new Date(Date.now() - 31 * DAY_MS).toISOString()],
  ].map(([what, timestamp]) => logs(`a timestamp ${what}`, allRejected(), json(record({ timestamp })))),
  ...[
    ['that is a number', 7],
    ['that is a list', ['production']],
    ['of 256 characters', 'e'.repeat(256)],
    ['with a NUL', 'pro\0duction'],
    ['with half a character pair', 'production\ud83d'],
  ].map(([what, environment]) => logs(`an environment ${what}`, allRejected(), json(record({ environment })))),
]

const utf16 = Buffer.from(`\ufeff${JSON.stringify(record())}`, 'utf16le')
const around = (...bytes: number[]) =>
  Buffer.concat([Buffer.from(`{"message":"${CANARY}`), Buffer.from(bytes), Buffer.from('"}')])

const WRONG_CHARACTERS: BadInput[] = [
  logs('UTF-16', INVALID, () => utf16),
  logs('UTF-16 that says so', INVALID, () => utf16, { 'content-type': 'application/json; charset=utf-16le' }),
  logs('UTF-16 in the other order', INVALID, () => Buffer.from(utf16).swap16()),
  logs('Latin-1', INVALID, () => around(0xe4, 0xf6, 0xfc)),
  logs('an over-long NUL', INVALID, () => around(0xc0, 0x80)),
  logs('a character that is cut off', INVALID, () => around(0xe2, 0x82)),
  logs('half a character pair in UTF-8', INVALID, () => around(0xed, 0xa0, 0x80)),
  logs('a code point that does not exist', INVALID, () => around(0xf4, 0x90, 0x80, 0x80)),
]

const WRONG_TYPES: BadInput[] = [
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/grpc',
  'application/json, application/json',
  'json',
].map((type) => logs(`Content-Type ${type}`, UNSUPPORTED, json(record()), { 'content-type': type }))

const BAD_BATCH_IDS: BadInput[] = [
  ['that is empty', { 'x-batch-id': '' }],
  ['of 65 characters', { 'x-batch-id': 'b'.repeat(65) }],
  ['with a space', { 'x-batch-id': 'a b' }],
  ['with a slash', { 'x-batch-id': '../../etc' }],
  ['with quotes', { 'x-batch-id': "'; DROP TABLE batches; --" }],
  ['with an umlaut', { 'x-batch-id': 'gr\u00fcn' }],
  ['under the other name', { 'idempotency-key': 'a,b' }],
].map(([what, headers]) => ({
  ...logs(`a batch id ${what}`, INVALID, json(record()), headers as Record<string, string>),
  fields: ['X-Batch-Id'],
}))

function chunkedHuge(): Pick<BadInput, 'send'> {
  return {
    send: ({ ingest }) => ({
      path: '/v1/logs',
      headers: { 'x-api-key': ingest, 'content-type': 'application/x-ndjson' },
      body: Buffer.from(`${JSON.stringify(record({ a: 'x'.repeat(1_000) }))}\n`.repeat(21_000)),
      chunked: true,
    }),
  }
}

export const LOG_BODIES = [
  ...NOT_JSON,
  ...WRONG_SHAPE,
  ...TOO_MUCH,
  ...BAD_FIELDS,
  ...WRONG_CHARACTERS,
  ...WRONG_TYPES,
  ...BAD_BATCH_IDS,
]
