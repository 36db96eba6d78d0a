import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bytesField, pushRequest, type SentEntry, snappyLiterals } from '../../testing/loki-protobuf.ts'
import { RECEIVED_US, readBody } from '../../testing/read-body.ts'
import { parseLabels } from './label-text.ts'

const sender = { protocol: 'loki' } as const
const SECOND = RECEIVED_US / 1_000_000
const NANOS = `${SECOND}123456789`

type Value = [string | number, string, Record<string, string>?]
const json = (stream: Record<string, string>, ...values: Value[]) => JSON.stringify({ streams: [{ stream, values }] })
const fromJson = (stream: Record<string, string>, ...values: Value[]) => readBody(json(stream, ...values), { sender })
const fromProtobuf = (labels: string, ...entries: SentEntry[]) =>
  readBody(snappyLiterals(pushRequest([{ labels, entries }])), { sender, type: 'application/x-protobuf' })
const recordOf = (labels: Record<string, string>, line: string, metadata?: Record<string, string>) =>
  fromJson(labels, metadata ? [NANOS, line, metadata] : [NANOS, line]).records[0]!

describe('a push', () => {
  const expected = {
    timeUs: RECEIVED_US + 123_456,
    level: 'warn',
    service: 'shop',
    environment: 'staging',
    message: 'cart is empty',
    traceId: 'abc',
    attributes: new Map([
      ['user', '7'],
      ['region', 'eu "west"'],
    ]),
  }

  it('in JSON becomes records', () => {
    const labels = { app: 'shop', env: 'staging', level: 'warning', region: 'eu "west"' }
    expect(recordOf(labels, 'cart is empty', { trace_id: 'abc', user: '7' })).toMatchObject(expected)
  })

  it('in protobuf and snappy becomes the same records', () => {
    const { records, accepted } = fromProtobuf('{app="shop", env="staging", level="warning", region="eu \\"west\\""}', {
      seconds: SECOND,
      nanos: 123_456_789,
      line: 'cart is empty',
      metadata: { trace_id: 'abc', user: '7' },
    })
    expect(accepted).toBe(1)
    expect(records[0]).toMatchObject(expected)
  })

  it.each([
    [
      'no type',
      snappyLiterals(pushRequest([{ labels: '{a="b"}', entries: [{ seconds: SECOND, line: 'x' }] }])),
      '',
      '',
    ],
    [
      'snappy named',
      snappyLiterals(pushRequest([{ labels: '{a="b"}', entries: [{ seconds: SECOND, line: 'x' }] }])),
      'application/x-protobuf',
      'snappy',
    ],
    ['gzip', gzipSync(json({ a: 'b' }, [NANOS, 'x'])), 'application/json; charset=utf-8', 'gzip'],
  ])('is understood with %s', (_, body, type, encoding) => {
    expect(readBody(body, { sender, type, encoding }).records).toMatchObject([{ message: 'x' }])
  })

  it('keeps the order of streams and entries, and says which were not taken', () => {
    const values: Value[] = [
      [NANOS, 'one'],
      ['1000000000', 'old'],
      [NANOS, 'two'],
    ]
    const { records, rejected, total } = fromJson({}, ...values)
    expect(records.map(({ message }) => message)).toEqual(['one', 'two'])
    expect({ rejected, total }).toEqual({
      total: 3,
      rejected: [{ index: 1, reason: expect.stringContaining('older than the project keeps records') }],
    })
  })

  it('counts its labels with every entry that they are stored with', () => {
    const body = json({ app: 'shop', city: '日本' }, [NANOS, 'one'], [NANOS, 'two'], [NANOS, 'three'])
    const spreadBytes = 2 * ('appshop'.length + 'city'.length + 6 + 2 * 32)
    expect(readBody(body, { sender })).toMatchObject({ spreadBytes, rawBytes: Buffer.byteLength(body) + spreadBytes })
  })

  it('is named by its bytes where its times tell equal lines apart', () => {
    expect(fromJson({}, [`${SECOND}123000000`, 'one'], [NANOS, 'two']).isNamedByBytes).toBe(true)
    expect(fromJson({}, [`${SECOND}123000000`, 'one']).isNamedByBytes).toBe(false)
  })

  it('of nothing is taken', () => {
    expect(readBody('{"streams":[]}', { sender })).toMatchObject({ total: 0, accepted: 0 })
    expect(readBody(Buffer.from([0]), { sender, type: 'application/x-protobuf' })).toMatchObject({ total: 0 })
  })
})

describe('a line', () => {
  it('of JSON is read like a record, before labels', () => {
    const line = JSON.stringify({
      level: 50,
      msg: 'failed',
      service: 'inner',
      time: RECEIVED_US / 1_000 + 123,
      cart: { id: 3 },
    })
    expect(recordOf({ level: 'error', service_name: 'outer', job: 'j' }, line)).toMatchObject({
      level: 'error',
      message: 'failed',
      service: 'inner',
      attributes: new Map<string, unknown>([
        ['cart.id', 3],
        ['service_name', 'outer'],
        ['job', 'j'],
      ]),
    })
  })

  it('of JSON with another time keeps it beside that of the entry', () => {
    const record = recordOf({}, '{"msg":"m","time":"2026-01-01T00:00:00Z"}')
    expect(record.timeUs).toBe(RECEIVED_US + 123_456)
    expect(record.attributes.get('time')).toBe('2026-01-01T00:00:00Z')
  })

  it.each(['{"a":1}', '{broken', '[1]', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`])('stays the message: %s', (line) => {
    expect(recordOf({}, line).message).toBe(line)
  })

  it.each([' {"a": 1,\t"b":[ ] }  ', '{"a":1,"a":2}', '{"id":12345678901234567890, "a":[{"b:":"\\":"}]}'])(
    'of JSON that stays the message is stored as it was sent: %s',
    (line) => {
      expect(recordOf({}, line).message).toBe(line)
    },
  )

  it.each([
    '  {"ssn":"078-05-1120","ssn":"", "in":{"ssn":"078-05-1120","ssn":null}}',
    '{"id":12345678901234567890,"ssn":"078-05-1120","ssn":""}',
    '{"\\u0073sn":"078-05-1120","ssn":""}',
    '{"ssn":"078-05-1120"}',
  ])('of JSON that stays the message holds no secret under a name that comes twice: %s', (line) => {
    expect(recordOf({}, line).message).not.toContain('078-05-1120')
  })

  it('shares the number of values that a request may hold with all others', () => {
    const line = `{"message":"m","a":[${Array(100_000).fill(0)}]}`
    expect(fromJson({}, ...Array(10).fill([NANOS, line])).total).toBe(10)
    expect(() => fromJson({}, ...Array(21).fill([NANOS, line]))).toThrow(/more than 2,000,000 values/)
  })

  it('with a stack is an error', () => {
    expect(recordOf({}, 'TypeError: x\n    at a (/srv/a.js:1:2)').error).toMatchObject({ type: 'TypeError' })
  })

  it('with a secret is redacted', () => {
    expect(recordOf({}, 'password=hunter22').message).not.toContain('hunter22')
    expect(recordOf({ token: 'hunter22hunter22' }, 'x').attributes.get('token')).not.toContain('hunter22')
  })

  it('with more metadata than a record has attributes, or without names for it, costs itself only', () => {
    const metadata = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, 'v']))
    const rejected = [
      { index: 0, reason: expect.stringContaining('more metadata than 256') },
      { index: 1, reason: expect.stringContaining('metadata without a name') },
    ]
    const inJson = fromJson({}, [NANOS, 'x', metadata], [NANOS, 'x', { '': 'v' }], [NANOS, 'good'])
    expect(inJson).toMatchObject({ accepted: 1, rejected })
    const sent = { seconds: SECOND, line: 'x' }
    const inProtobuf = fromProtobuf('{}', { ...sent, metadata }, { ...sent, metadata: { '': 'v' } }, sent)
    expect(inProtobuf).toMatchObject({ accepted: 1, rejected })
  })

  it('that is empty is not taken', () => {
    expect(fromJson({}, [NANOS, '']).rejected).toHaveLength(1)
  })
})

describe('labels', () => {
  it.each([
    [{ service_name: 'a', job: 'b' }, 'a'],
    [{ job: 'b', container: 'c' }, 'c'],
    [{ job: 'b' }, 'b'],
    [{ app_kubernetes_io_name: 'k', workload: 'w' }, 'k'],
    [{ filename: '/var/log/x' }, ''],
  ])('%j name the service %j', (labels, service) => {
    expect(recordOf(labels as Record<string, string>, 'x').service).toBe(service)
  })

  it('that say something else than the line are kept, however like a level they look', () => {
    const record = recordOf({ version: '12', level: '30' }, '{"msg":"m","version":"11","level":"info"}')
    expect([record.release, record.level, ...record.attributes]).toEqual(['11', 'info', ['version', '12']])
  })

  it('name environment, level, host and release as OpenTelemetry writes them for Loki', () => {
    const labels = {
      deployment_environment_name: 'qa',
      detected_level: 'critical',
      instance: 'web-1',
      service_version: '1.2',
    }
    expect(recordOf(labels, 'x')).toMatchObject({ environment: 'qa', level: 'fatal', host: 'web-1', release: '1.2' })
  })

  it('with names of the prototype are attributes and nothing else', () => {
    const body = `{"streams":[{"stream":{"__proto__":"a","constructor":"b"},"values":[["${NANOS}","x"]]}]}`
    const [record] = readBody(body, { sender }).records
    expect([...record!.attributes]).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })

  it.each([
    ['{}', []],
    ['{a="b"}', [['a', 'b']]],
    [
      '{ a = "b" , c=`raw \\n` }',
      [
        ['a', 'b'],
        ['c', 'raw \\n'],
      ],
    ],
    [
      '{a="\\u00fc\\x41\\101\\n\\\\\\"", b="}"}',
      [
        ['a', 'üAA\n\\"'],
        ['b', '}'],
      ],
    ],
    ['{"a.b"="c",}', [['a.b', 'c']]],
  ])('are read from their text %j', (text, labels) => {
    expect(parseLabels(text)).toEqual(labels)
  })
})

describe('a push is refused', () => {
  const entry = (labels: string) => fromProtobuf(labels, { seconds: SECOND, line: 'x' })
  it.each(['', 'a="b"', '{a="b"', '{a=b}', '{a="b" c="d"}', '{a="b"}x', '{="b"}', '{a="b\\"}', '{{}}'])(
    'with labels that cannot be read: %j',
    (labels) => {
      expect(() => entry(labels)).toThrow(/labels of a stream cannot be read/)
    },
  )

  it.each([
    'x',
    'null',
    '[]',
    '{}',
    '{"streams":{}}',
    '{"streams":[1]}',
    '{"streams":[{"stream":{}}]}',
    '{"streams":[{"values":[]}]}',
    '{"streams":[{"stream":{"a":1},"values":[]}]}',
    '{"streams":[{"stream":{},"values":[["1"]]}]}',
    '{"streams":[{"stream":{},"values":[["x","y"]]}]}',
    '{"streams":[{"stream":{},"values":[["-1","y"]]}]}',
    '{"streams":[{"stream":{},"values":[["1",2]]}]}',
    '{"streams":[{"stream":{},"values":[["1","y",{"a":1}]]}]}',
    '{"streams":[{"stream":{},"values":[["1","y",{},1]]}]}',
    '{"__proto__":{"streams":[]}}',
  ])('in JSON that is none: %s', (body) => {
    expect(() => readBody(body, { sender })).toThrow(/Send a Loki push/)
  })

  it.each([
    ['text', Buffer.from('hello')],
    ['a message that is cut off', pushRequest([{ labels: '{}', entries: [{ line: 'x' }] }]).subarray(0, -1)],
    ['a field number of zero', Buffer.from([0, 1])],
    ['a length past the end', Buffer.from([0x0a, 0x7f, 1])],
  ])('in protobuf that is none: %s', (_, bytes) => {
    expect(() => readBody(snappyLiterals(bytes), { sender, type: 'application/x-protobuf' })).toThrow(
      /not a Loki push request/,
    )
  })

  it('with more labels than a record has attributes, in either form', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`)
    const inText = (count: number) => `{${names(count).map((name) => `${name}="v"`)}}`
    const inJson = (count: number) => Object.fromEntries(names(count).map((name) => [name, 'v']))
    expect(entry(inText(256)).records[0]!.attributes.size).toBe(256)
    expect(() => entry(inText(257))).toThrow(/more than 256 labels/)
    expect(recordOf(inJson(256), 'x').attributes.size).toBe(256)
    expect(() => recordOf(inJson(257), 'x')).toThrow(/more than 256 labels/)
  })

  it('with a label that has no name', () => {
    expect(() => entry('{""="v"}')).toThrow(/labels of a stream cannot be read/)
    expect(() => recordOf({ '': 'v' }, 'x')).toThrow(/a label without a name/)
  })

  it('with more text in its labels than a record holds, however it is quoted', () => {
    for (const text of ['x', '\\n', '日']) {
      expect(() => parseLabels(`{a="${text.repeat(5_000_000 / text.length)}"}`)).toThrow(/more than 256 KiB/)
      const large = `{a="${text.repeat(250_000 / text.length)}"}`
      expect(parseLabels(large)[0]![1]).toHaveLength(250_000 / text.length)
    }
  })

  it('as protobuf without snappy', () => {
    const body = pushRequest([{ labels: '{}', entries: [{ seconds: SECOND, line: 'x' }] }])
    expect(() => readBody(body, { sender, type: 'application/x-protobuf' })).toThrow(/not valid snappy/)
  })

  it('with a time that no clock shows, entry by entry', () => {
    const far = { seconds: 2 ** 50, line: 'far' }
    const broken = { seconds: SECOND, nanos: 2_000_000_000, line: 'broken' }
    const { rejected, accepted } = fromProtobuf('{a="b"}', far, broken, { line: 'none' })
    expect(accepted).toBe(0)
    expect(rejected).toHaveLength(3)
  })

  it('with too many entries', () => {
    const values = Array.from({ length: 50_001 }, (): Value => [NANOS, 'x'])
    expect(() => fromJson({}, ...values)).toThrow(/at most 50,000 records/)
    const empty = bytesField(1, Buffer.concat([bytesField(1, '{}'), ...Array(50_001).fill(bytesField(2, ''))]))
    expect(() => readBody(snappyLiterals(empty), { sender, type: 'application/x-protobuf' })).toThrow(/50,000/)
  })

  it('with labels that many entries would multiply, in bytes', () => {
    const values = Array.from({ length: 8_000 }, (): Value => [NANOS, 'x'])
    expect(fromJson({ a: 'x'.repeat(5_000) }, ...values).accepted).toBe(8_000)
    expect(() => fromJson({ a: 'x'.repeat(5_300) }, ...values)).toThrow(/takes more than 40 MiB\. Send fewer records/)
    expect(() => fromJson({ a: '日'.repeat(1_800) }, ...values)).toThrow(/takes more than 40 MiB\. Send fewer records/)
    const short = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`l${at}`, '']))
    expect(() => fromJson(short, ...Array(40_000).fill(values[0]))).toThrow(
      /takes more than 40 MiB\. Send fewer records/,
    )
  })

  it('that is nested too deep, or not UTF-8, or in another type', () => {
    const deep = `{"streams":${'['.repeat(40)}${']'.repeat(40)}}`
    expect(() => readBody(deep, { sender })).toThrow(/nested deeper/)
    expect(() => readBody(Buffer.from([0x7b, 0xff]), { sender })).toThrow(/not valid UTF-8/)
    expect(() => readBody('{}', { sender, type: 'application/x-ndjson' })).toThrow(/application\/x-protobuf in snappy/)
    expect(() => readBody('{}', { sender, type: 'text/html' })).toThrow(/not understood/)
  })
})
