/** Bad requests in other senders' protocols. Each is answered in the form of its protocol, and none of it is stored. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { CANARY, type Keys, type Sent } from './row.ts'

export type SenderProtocol = 'loki' | 'elasticsearch' | 'datadog'
type BadSending = { name: string; protocol: SenderProtocol; status: number; send: (keys: Keys) => Sent }

type Request = Partial<Sent> & { key?: (keys: Keys) => Record<string, string> }

const NANOS = `${Math.floor(Date.now() / 1_000)}000000000`
const HOME: Record<SenderProtocol, { path: string; good: string; key: (secret: string) => Record<string, string> }> = {
  loki: {
    path: '/loki/api/v1/push',
    good: JSON.stringify({ streams: [{ stream: { app: 'x' }, values: [[NANOS, CANARY]] }] }),
    key: (secret) => ({ authorization: `Basic ${btoa(`any:${secret}`)}` }),
  },
  elasticsearch: {
    path: '/_bulk',
    good: `{"create":{"_index":"a"}}\n{"message":"${CANARY}"}\n`,
    key: (secret) => ({ authorization: `ApiKey ${btoa(`id:${secret}`)}` }),
  },
  datadog: {
    path: '/api/v2/logs',
    good: JSON.stringify([{ message: CANARY }]),
    key: (secret) => ({ 'dd-api-key': secret }),
  },
}
const PROTOCOLS = Object.keys(HOME) as SenderProtocol[]

function bad(protocol: SenderProtocol, name: string, status: number, request: Request): BadSending {
  const { path, good, key } = HOME[protocol]
  return {
    name: `${protocol}: ${name}`,
    protocol,
    status,
    send: (keys) => ({
      path: request.path ?? path,
      body: request.body ?? good,
      headers: {
        'content-type': 'application/json',
        ...(request.key?.(keys) ?? key(keys.ingest)),
        ...request.headers,
      },
    }),
  }
}

/** The same mistakes are made in every protocol. */
const IN_EVERY_PROTOCOL = PROTOCOLS.flatMap((protocol) => {
  const { good, key } = HOME[protocol]
  const gzip = { 'content-encoding': 'gzip' }
  return [
    bad(protocol, 'no key', 401, { key: () => ({}) }),
    bad(protocol, 'another scheme', 401, { key: ({ ingest }) => ({ authorization: `Token ${ingest}` }) }),
    bad(protocol, 'a key in the body', 401, {
      key: () => ({}),
      body: JSON.stringify({ projectApiKey: 'tidemark_ingest_x', logs: [] }),
    }),
    ...(['unknown', 'mistyped', 'revoked', 'expired', 'ofDeletedProject'] as const).map((one) =>
      bad(protocol, `a key that is ${one}`, 401, { key: (keys) => key(keys[one]) }),
    ),
    bad(protocol, 'a read key', 403, { key: ({ read }) => key(read) }),
    bad(protocol, 'an unknown encoding', 415, { headers: { 'content-encoding': 'zstd' } }),
    bad(protocol, 'an unknown type', 415, { headers: { 'content-type': 'text/html' } }),
    bad(protocol, 'text that says gzip', 400, { headers: gzip }),
    bad(protocol, 'gzip that is cut off', 400, { headers: gzip, body: gzipSync(good).subarray(0, -9) }),
    bad(protocol, 'gzip that says nothing', 400, { body: gzipSync(good) }),
    bad(protocol, 'a gzip bomb', 413, { headers: gzip, body: gzipSync(Buffer.alloc(30 * 1024 * 1024, good)) }),
    bad(protocol, 'a brotli bomb', 413, {
      headers: { 'content-encoding': 'br' },
      body: brotliCompressSync(Buffer.alloc(30 * 1024 * 1024)),
    }),
    bad(protocol, 'more than 20 MiB', 413, { body: Buffer.alloc(21 * 1024 * 1024, good) }),
    bad(protocol, 'no body', 400, { body: '' }),
    bad(protocol, 'bytes that are not UTF-8', 400, { body: Buffer.from([0x7b, 0xff, 0xfe, 0x0a]) }),
    bad(protocol, 'a batch id of strange characters', 400, { headers: { 'x-batch-id': 'a b' } }),
  ]
})

const push = (stream: unknown, values: unknown) => JSON.stringify({ streams: [{ stream, values }] })
const PROTOBUF = { 'content-type': 'application/x-protobuf' }

const IN_LOKI = [
  bad('loki', 'JSON that is cut off', 400, { body: HOME.loki.good.slice(0, -2) }),
  bad('loki', 'streams that are an object', 400, { body: '{"streams":{}}' }),
  bad('loki', 'a label that is a number', 400, { body: push({ a: 1 }, [[NANOS, CANARY]]) }),
  bad('loki', 'a time that is a word', 400, { body: push({}, [['soon', CANARY]]) }),
  bad('loki', 'a time from another century', 400, { body: push({}, [['1', CANARY]]) }),
  bad('loki', 'a time far ahead', 400, { body: push({}, [['9999999999000000000', CANARY]]) }),
  bad('loki', 'a line that is an object', 400, { body: push({}, [[NANOS, { a: CANARY }]]) }),
  bad('loki', 'metadata that is a list', 400, { body: push({}, [[NANOS, CANARY, [1]]]) }),
  bad('loki', 'streams in the prototype', 400, { body: `{"__proto__":${HOME.loki.good}}` }),
  bad('loki', 'depth without end', 400, { body: `{"streams":${'['.repeat(100_000)}` }),
  bad('loki', 'too many labels', 400, {
    body: push(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`l${at}`, CANARY])), [[NANOS, CANARY]]),
  }),
  bad('loki', 'a label name without end', 400, { body: push({ ['l'.repeat(200)]: 'x' }, [[NANOS, CANARY]]) }),
  bad('loki', 'an environment without end', 400, { body: push({ env: 'e'.repeat(300) }, [[NANOS, CANARY]]) }),
  bad('loki', 'a line without end', 400, { body: push({}, [[NANOS, CANARY.repeat(20_000)]]) }),
  bad('loki', 'labels that multiply', 413, {
    body: push({ a: 'x'.repeat(5_000) }, Array(40_000).fill([NANOS, CANARY])),
  }),
  bad('loki', 'too many entries', 413, { body: push({}, Array(50_001).fill([NANOS, CANARY])) }),
  bad('loki', 'protobuf that is text', 400, { headers: PROTOBUF, body: CANARY }),
  bad('loki', 'snappy that declares a gigabyte', 413, {
    headers: PROTOBUF,
    body: Buffer.from([0x80, 0x80, 0x80, 0x80, 0x04, 0]),
  }),
  bad('loki', 'snappy that copies from nowhere', 400, { headers: PROTOBUF, body: Buffer.from([8, 0x0e, 9, 0]) }),
  bad('loki', 'protobuf with a length past its end', 400, {
    headers: PROTOBUF,
    body: Buffer.from([3, 2 << 2, 0x0a, 0x7f, 0x01]),
  }),
  bad('loki', 'protobuf with labels that are none', 400, {
    headers: PROTOBUF,
    body: Buffer.from([6, 5 << 2, 0x0a, 4, 0x0a, 2, 0x7b, 0x61]),
  }),
]

const IN_ELASTICSEARCH = (
  [
    ['no newline at its end', `{"create":{"_index":"a"}}\n{"message":"${CANARY}"}`],
    ['an action that is not JSON', `create\n{"message":"${CANARY}"}\n`],
    ['an unknown action', `{"upsert":{"_index":"a"}}\n{"message":"${CANARY}"}\n`],
    ['an action in the prototype', `{"__proto__":{"create":{"_index":"a"}}}\n{"message":"${CANARY}"}\n`],
    ['no index', `{"create":{}}\n{"message":"${CANARY}"}\n`],
    ['an action without a document', '{"create":{"_index":"a"}}\n'],
    ['documents without actions', `{"message":"${CANARY}"}\n{"message":"${CANARY}"}\n`],
    ['a good item before a broken action', `${HOME.elasticsearch.good}broken\n`],
    ['an action of endless depth', `${'{"create":'.repeat(50_000)}\n{}\n`],
    ['blank lines only', '\n\n\n'],
  ] as const
).map(([name, body]) => bad('elasticsearch', name, 400, { body }))

const IN_DATADOG = (
  [
    ['JSON that is cut off', `[{"message":"${CANARY}"}`],
    ['a text', `"${CANARY}"`],
    ['a list of numbers', '[1,2]'],
    ['an entry without a message', '[{"service":"x"}]'],
    ['a time from another century', `[{"message":"${CANARY}","timestamp":"1999-01-01T00:00:00Z"}]`],
    ['a time far ahead', `[{"message":"${CANARY}","timestamp":"2199-01-01T00:00:00Z"}]`],
    ['depth without end', '['.repeat(100_000)],
    ['an environment without end', `[{"message":"${CANARY}","ddtags":"env:${'e'.repeat(300)}"}]`],
    [
      'too many tags',
      JSON.stringify([{ message: CANARY, ddtags: Array.from({ length: 300 }, (_, at) => `t${at}:1`).join() }]),
    ],
    ['an entry without end', JSON.stringify([{ message: CANARY, a: 'x'.repeat(300_000) }])],
    ['two documents', `{"message":"${CANARY}"}{"message":"${CANARY}"}`],
  ] as const
).map(([name, body]) => bad('datadog', name, 400, { body }))

const IN_ADDRESSES = [
  bad('datadog', 'a key in the address', 401, {
    key: () => ({}),
    path: '/api/v2/logs?dd-api-key=tidemark_ingest_x',
  }),
  bad('loki', 'a key in the address', 401, {
    key: () => ({}),
    path: '/loki/api/v1/push?dd-api-key=tidemark_ingest_x',
  }),
]

export const BAD_SENDINGS: BadSending[] = [
  ...IN_EVERY_PROTOCOL,
  ...IN_LOKI,
  ...IN_ELASTICSEARCH,
  ...IN_DATADOG,
  ...IN_ADDRESSES,
]
