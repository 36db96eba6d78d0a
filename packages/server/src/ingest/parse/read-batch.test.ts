import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../../testing/thrown-by.ts'
import { RECEIVED_US, readBody } from '../testing/read-body.ts'
import { readProjectKey } from './read-batch.ts'

const messagesOf = (batch: ReturnType<typeof readBody>) => batch.records.map((record) => record.message)

describe('a number that a double would change', () => {
  it('is kept as it was written, as text, wherever it stands', () => {
    const record =
      '{"message":"a","id":9007199254740993,"far":1e400,"tiny":-1e-400,"list":[1e400],"attributes":{"deep":{"far":-1e400}}}'
    const expected = {
      id: '9007199254740993',
      far: '1e400',
      tiny: '-1e-400',
      list: '["1e400"]',
      'deep.far': '-1e400',
    }
    for (const [body, type] of [
      [`[${record}]`, 'application/json'],
      [record, 'application/x-ndjson'],
    ] as const) {
      expect(Object.fromEntries(readBody(body, { type }).records[0]?.attributes ?? [])).toEqual(expected)
    }
    const otlp = '{"key":"far","value":{"doubleValue":1e400}},{"key":"id","value":{"intValue":9007199254740993}}'
    const [first] = readBody(
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"m"},"attributes":[${otlp}]}]}]}]}`,
    ).records
    expect(Object.fromEntries(first?.attributes ?? [])).toEqual({ far: '1e400', id: '9007199254740993' })
  })
})

describe('shapes of JSON', () => {
  it.each([
    ['an object with logs', '{"logs":[{"message":"a"},{"message":"b"}]}'],
    ['a bare array', '[{"message":"a"},{"message":"b"}]'],
    ['an array with a byte order mark', '\ufeff[{"message":"a"},{"message":"b"}]'],
    ['white space all around', ' \r\n [ {"message":"a"} , {"message":"b"} ] \n'],
  ])('reads %s', (_what, body) => {
    const batch = readBody(body)
    expect(batch).toMatchObject({ protocol: 'json', total: 2, rejected: [] })
    expect(messagesOf(batch)).toEqual(['a', 'b'])
  })

  it('reads one object as one record', () => {
    expect(messagesOf(readBody('{"message":"a"}'))).toEqual(['a'])
  })

  it('reads an empty batch', () => {
    for (const body of ['[]', '{"logs":[]}', '{"resourceLogs":[]}']) {
      expect(readBody(body)).toMatchObject({ total: 0, records: [], rejected: [] })
    }
    expect(readBody('', { type: 'application/x-ndjson' })).toMatchObject({ protocol: 'ndjson', total: 0 })
    expect(readBody('', { type: '' })).toMatchObject({ protocol: 'ndjson', total: 0 })
    expect(readBody('', { type: 'application/x-protobuf' })).toMatchObject({ protocol: 'otlp-protobuf', total: 0 })
  })

  it('says which records it rejects and why, and takes the others', () => {
    expect(readBody('[{"message":"a"},{},7,{"message":"b","timestamp":"2026-13-01"}]')).toMatchObject({
      total: 4,
      records: [{ message: 'a' }],
      rejected: [
        { index: 1, reason: 'A record needs a `message` or an `error`.' },
        { index: 2, reason: 'A record must be a JSON object, not 7.' },
        { index: 3, reason: expect.stringContaining('2026-13-01') },
      ],
    })
  })

  it('does not look for logs inside logs', () => {
    expect(readBody('{"logs":[{"logs":[{"message":"a"}]}]}')).toMatchObject({ total: 1, records: [] })
  })

  it.each([
    ['{"logs":{}}', '`logs` must be an array of records.'],
    ['{"logs":null}', '`logs` must be an array of records.'],
    ['{"resourceLogs":7}', '`resourceLogs` must be an array.'],
    ['7', 'The body must be a JSON object'],
    ['null', 'The body must be a JSON object'],
    ['{"a":', 'The body is not valid JSON.'],
    ['', 'The body is not valid JSON.'],
  ])('refuses %s', (body, message) => {
    const error = thrownBy(() => readBody(body))
    expect(error.status).toBe(400)
    expect(error.message).toContain(message)
  })

  it('reads lines that were sent as application/json', () => {
    expect(readBody('{"message":"a"}\n{"message":"b"}\n')).toMatchObject({ protocol: 'ndjson', total: 2, rejected: [] })
  })

  it('keeps integers that a double would change', () => {
    const batch = readBody(
      '{"message":"m","timestamp":1767323045678901999,"attributes":{"id":9007199254740993,"n":12}}',
    )
    expect(batch.records[0]?.timeUs).toBe(1_767_323_045_678_901)
    expect(Object.fromEntries(batch.records[0]!.attributes)).toEqual({ id: '9007199254740993', n: 12 })
  })

  it('cleans text that arrives as escapes', () => {
    expect(messagesOf(readBody('{"message":"a\\u0000\\ud800"}'))).toEqual(['a\ufffd\ufffd'])
    expect(readBody('{"message":"a","environment":"p\\u0000"}').rejected).toHaveLength(1)
  })
})

describe('NDJSON', () => {
  it('rejects a bad line alone, by its index among the lines that are not blank', () => {
    const body = '\ufeff{"message":"a"}\r\n\r\n{"message":\r\n   \n{"message":"b"}\n[1]\n"text"'
    expect(readBody(body, { type: 'application/x-ndjson' })).toMatchObject({
      protocol: 'ndjson',
      total: 5,
      records: [{ message: 'a' }, { message: 'b' }],
      rejected: [
        { index: 1, reason: 'Line 3 is not valid JSON.' },
        { index: 3, reason: 'A record must be a JSON object, not [1].' },
        { index: 4, reason: 'A record must be a JSON object, not text.' },
      ],
    })
  })

  it.each(['application/x-ndjson', 'application/ndjson; charset=utf-8', 'application/jsonl', 'text/plain', ''])(
    'is understood as "%s"',
    (type) => {
      expect(messagesOf(readBody('{"message":"a"}\n{"message":"b"}', { type }))).toEqual(['a', 'b'])
    },
  )
})

describe('content types', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/vnd.acme+json',
    'text/plain;charset=UTF-8',
    '',
  ])('reads JSON sent as "%s"', (type) => {
    expect(readBody('{"logs":[{"message":"a"}]}', { type })).toMatchObject({ protocol: 'json', total: 1 })
  })

  it.each([
    'application/msgpack',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '__proto__',
  ])('refuses "%s" and names what it takes', (type) => {
    const error = thrownBy(() => readBody('{}', { type }))
    expect(error.status).toBe(415)
    expect(error.message).toContain('application/json, application/x-ndjson or application/x-protobuf')
  })

  it('reads compressed bodies', () => {
    const body = Buffer.from('{"message":"a"}')
    expect(readBody(gzipSync(body), { encoding: 'gzip' }).total).toBe(1)
    expect(readBody(deflateSync(body), { encoding: 'deflate' }).total).toBe(1)
    expect(readBody(brotliCompressSync(body), { encoding: 'br' }).total).toBe(1)
    expect(thrownBy(() => readBody(body, { encoding: 'zstd' })).status).toBe(415)
  })

  it('refuses what is not UTF-8', () => {
    for (const type of ['application/json', 'application/x-ndjson', '']) {
      const error = thrownBy(() => readBody(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { type }))
      expect(error.status).toBe(400)
      expect(error.message).toContain('UTF-8')
    }
  })
})

describe('limits of a request', () => {
  const lines = (count: number) => '{"message":"m"}\n'.repeat(count)

  it('takes 50,000 records and refuses one more, in lines and in an array', () => {
    expect(readBody(lines(50_000), { type: 'application/x-ndjson' }).total).toBe(50_000)
    expect(thrownBy(() => readBody(lines(50_001), { type: 'application/x-ndjson' })).status).toBe(413)
    expect(thrownBy(() => readBody(`[${'{},'.repeat(50_000)}{}]`)).status).toBe(413)
    expect(
      thrownBy(() => readBody(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${'{},'.repeat(50_000)}{}]}]}]}`)).status,
    ).toBe(413)
  })

  it('takes records of 8 UTC days and refuses a ninth, counting accepted records only', () => {
    const days = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, index) => ({ message: 'm', timestamp: RECEIVED_US - index * 86_400e6 })),
      )
    expect(readBody(days(8)).total).toBe(8)
    expect(thrownBy(() => readBody(days(9))).message).toContain('9 different UTC days')
    expect(readBody(days(9), { retentionDays: 5 }).rejected).toHaveLength(3)
  })

  it('refuses deep JSON before it is parsed', () => {
    expect(thrownBy(() => readBody('['.repeat(1_000_000))).message).toContain('deeper than 32')
  })
})

describe('redaction', () => {
  it('counts what it hid, per rule', () => {
    const batch = readBody(
      '[{"message":"password=hunter2hunter2"},{"message":"m","attributes":{"password":"x","a":{"token":"y"}}}]',
    )
    expect(batch.redactions).toEqual({ password: 1, field: 2 })
    expect(messagesOf(batch)).toEqual(['password=[REDACTED:password]', 'm'])
  })
})

describe('readProjectKey', () => {
  const key = (body: string, type = 'application/json') =>
    readProjectKey({ body: Buffer.from(body), contentType: type, contentEncoding: '' })

  it('finds the key of a JSON object', () => {
    expect(key('{"projectApiKey":"k","logs":[]}')).toBe('k')
    expect(key('\ufeff {"message":"m","projectApiKey":"k"}', 'text/plain')).toBe('k')
    expect(
      readProjectKey({
        body: gzipSync('{"projectApiKey":"k"}'),
        contentType: 'application/json',
        contentEncoding: 'gzip',
      }),
    ).toBe('k')
  })

  it('finds none elsewhere', () => {
    expect(key('{"logs":[{"projectApiKey":"k"}]}')).toBeNull()
    expect(key('{"projectApiKey":7}')).toBeNull()
    expect(key('[{"projectApiKey":"k"}]')).toBeNull()
    expect(key('{"projectApiKey":"k"}\n{}', 'application/x-ndjson')).toBeNull()
    expect(key('{"__proto__":{"projectApiKey":"k"}}')).toBeNull()
    expect(key('x', 'application/x-protobuf')).toBeNull()
  })

  it('never puts the key into a record', () => {
    const batch = readBody('{"message":"m","projectApiKey":"k"}')
    expect(batch.records[0]?.attributes.size).toBe(0)
  })
})
