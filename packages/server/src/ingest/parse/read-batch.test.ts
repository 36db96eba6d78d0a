import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import { readBatch, readProjectKey } from './read-batch.ts'

const RECEIVED_US = Date.parse('2026-01-02T03:04:05Z') * 1_000

type Options = { type?: string; encoding?: string; retentionDays?: number }

function read(
  body: string | Uint8Array,
  { type = 'application/json', encoding = '', retentionDays = 30 }: Options = {},
) {
  return readBatch({
    body: typeof body === 'string' ? Buffer.from(body) : body,
    contentType: type,
    contentEncoding: encoding,
    receivedUs: RECEIVED_US,
    project: { defaultEnvironment: 'production', retentionDays },
    redaction: { disabled: [], rules: [], fields: [] },
  })
}

function errorOf(act: () => unknown): AppError {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}

const messagesOf = (batch: ReturnType<typeof read>) => batch.records.map((record) => record.message)

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
      expect(Object.fromEntries(read(body, { type }).records[0]?.attributes ?? [])).toEqual(expected)
    }
    const otlp = '{"key":"far","value":{"doubleValue":1e400}},{"key":"id","value":{"intValue":9007199254740993}}'
    const [first] = read(
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
    const batch = read(body)
    expect(batch).toMatchObject({ protocol: 'json', total: 2, rejected: [] })
    expect(messagesOf(batch)).toEqual(['a', 'b'])
  })

  it('reads one object as one record', () => {
    expect(messagesOf(read('{"message":"a"}'))).toEqual(['a'])
  })

  it('reads an empty batch', () => {
    for (const body of ['[]', '{"logs":[]}', '{"resourceLogs":[]}']) {
      expect(read(body)).toMatchObject({ total: 0, records: [], rejected: [] })
    }
    expect(read('', { type: 'application/x-ndjson' })).toMatchObject({ protocol: 'ndjson', total: 0 })
    expect(read('', { type: '' })).toMatchObject({ protocol: 'ndjson', total: 0 })
    expect(read('', { type: 'application/x-protobuf' })).toMatchObject({ protocol: 'otlp-protobuf', total: 0 })
  })

  it('says which records it rejects and why, and takes the others', () => {
    expect(read('[{"message":"a"},{},7,{"message":"b","timestamp":"2026-13-01"}]')).toMatchObject({
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
    expect(read('{"logs":[{"logs":[{"message":"a"}]}]}')).toMatchObject({ total: 1, records: [] })
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
    const error = errorOf(() => read(body))
    expect(error.status).toBe(400)
    expect(error.message).toContain(message)
  })

  it('reads lines that were sent as application/json', () => {
    expect(read('{"message":"a"}\n{"message":"b"}\n')).toMatchObject({ protocol: 'ndjson', total: 2, rejected: [] })
  })

  it('keeps integers that a double would change', () => {
    const batch = read('{"message":"m","timestamp":1767323045678901999,"attributes":{"id":9007199254740993,"n":12}}')
    expect(batch.records[0]?.timeUs).toBe(1_767_323_045_678_901)
    expect(Object.fromEntries(batch.records[0]!.attributes)).toEqual({ id: '9007199254740993', n: 12 })
  })

  it('cleans text that arrives as escapes', () => {
    expect(messagesOf(read('{"message":"a\\u0000\\ud800"}'))).toEqual(['a\ufffd\ufffd'])
    expect(read('{"message":"a","environment":"p\\u0000"}').rejected).toHaveLength(1)
  })
})

describe('NDJSON', () => {
  it('rejects a bad line alone, by its index among the lines that are not blank', () => {
    const body = '\ufeff{"message":"a"}\r\n\r\n{"message":\r\n   \n{"message":"b"}\n[1]\n"text"'
    expect(read(body, { type: 'application/x-ndjson' })).toMatchObject({
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
      expect(messagesOf(read('{"message":"a"}\n{"message":"b"}', { type }))).toEqual(['a', 'b'])
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
    expect(read('{"logs":[{"message":"a"}]}', { type })).toMatchObject({ protocol: 'json', total: 1 })
  })

  it.each([
    'application/msgpack',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '__proto__',
  ])('refuses "%s" and names what it takes', (type) => {
    const error = errorOf(() => read('{}', { type }))
    expect(error.status).toBe(415)
    expect(error.message).toContain('application/json, application/x-ndjson or application/x-protobuf')
  })

  it('reads compressed bodies', () => {
    const body = Buffer.from('{"message":"a"}')
    expect(read(gzipSync(body), { encoding: 'gzip' }).total).toBe(1)
    expect(read(deflateSync(body), { encoding: 'deflate' }).total).toBe(1)
    expect(read(brotliCompressSync(body), { encoding: 'br' }).total).toBe(1)
    expect(errorOf(() => read(body, { encoding: 'zstd' })).status).toBe(415)
  })

  it('refuses what is not UTF-8', () => {
    for (const type of ['application/json', 'application/x-ndjson', '']) {
      const error = errorOf(() => read(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { type }))
      expect(error.status).toBe(400)
      expect(error.message).toContain('UTF-8')
    }
  })
})

describe('limits of a request', () => {
  const lines = (count: number) => '{"message":"m"}\n'.repeat(count)

  it('takes 50,000 records and refuses one more, in lines and in an array', () => {
    expect(read(lines(50_000), { type: 'application/x-ndjson' }).total).toBe(50_000)
    expect(errorOf(() => read(lines(50_001), { type: 'application/x-ndjson' })).status).toBe(413)
    expect(errorOf(() => read(`[${'{},'.repeat(50_000)}{}]`)).status).toBe(413)
    expect(
      errorOf(() => read(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${'{},'.repeat(50_000)}{}]}]}]}`)).status,
    ).toBe(413)
  })

  it('takes records of 8 UTC days and refuses a ninth, counting accepted records only', () => {
    const days = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, index) => ({ message: 'm', timestamp: RECEIVED_US - index * 86_400e6 })),
      )
    expect(read(days(8)).total).toBe(8)
    expect(errorOf(() => read(days(9))).message).toContain('9 different UTC days')
    expect(read(days(9), { retentionDays: 5 }).rejected).toHaveLength(3)
  })

  it('refuses deep JSON before it is parsed', () => {
    expect(errorOf(() => read('['.repeat(1_000_000))).message).toContain('deeper than 32')
  })
})

describe('redaction', () => {
  it('counts what it hid, per rule', () => {
    const batch = read(
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
    const batch = read('{"message":"m","projectApiKey":"k"}')
    expect(batch.records[0]?.attributes.size).toBe(0)
  })
})
