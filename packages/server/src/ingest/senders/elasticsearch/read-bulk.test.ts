import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RECEIVED_US, readBody } from '../../testing/read-body.ts'

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const read = (body: string | Uint8Array, options: { index?: string; type?: string; encoding?: string } = {}) => {
  const { index = '', type = 'application/x-ndjson', encoding = '' } = options
  return readBody(body, { type, encoding, sender: { protocol: 'elasticsearch', index } })
}
const create = (index = 'logs-shop-staging', id?: string) => ({ create: { _index: index, ...(id && { _id: id }) } })
const recordOf = (index: string, document: object) => read(lines(create(index), document)).records[0]!

describe('a document without a message', () => {
  const messageOf = (document: string) => read(`${lines(create())}${document}\n`).records[0]!.message

  it('is its own message, as it was sent', () => {
    expect(messageOf('{"a": 1, "a":2,"id":12345678901234567890}\r')).toBe('{"a": 1, "a":2,"id":12345678901234567890}')
  })

  it('holds no secret under a name that comes twice', () => {
    expect(messageOf('{"ssn":"078-05-1120","ssn":""}')).not.toContain('078-05-1120')
  })
})

describe('a bulk', () => {
  it('of ECS documents becomes records', () => {
    const document = {
      '@timestamp': '2026-01-02T03:04:05.678Z',
      message: 'payment failed',
      log: { level: 'error', logger: 'payments' },
      service: { name: 'checkout', environment: 'production', version: '1.2.3' },
      host: { name: 'web-1', architecture: 'arm64' },
      trace: { id: 'abc' },
      error: { type: 'TypeError', message: 'x is null', stack_trace: 'TypeError: x is null\n    at a (/a.js:1:1)' },
      data_stream: { namespace: 'staging' },
    }
    expect(recordOf('logs-shop-staging', document)).toMatchObject({
      timeUs: RECEIVED_US + 678_000,
      level: 'error',
      message: 'payment failed',
      logger: 'payments',
      service: 'checkout',
      environment: 'production',
      release: '1.2.3',
      host: 'web-1',
      traceId: 'abc',
      error: { type: 'TypeError', message: 'x is null' },
      attributes: new Map([
        ['host.architecture', 'arm64'],
        ['data_stream.namespace', 'staging'],
        ['_index', 'logs-shop-staging'],
      ]),
    })
  })

  it('of every action is told in order, and only new documents are kept', () => {
    const body = lines(
      { index: { _index: 'a', _id: 1 } },
      { message: 'one' },
      { delete: { _index: 'a', _id: '1' } },
      { update: { _index: 'a', _id: '1' } },
      { doc: { message: 'changed' } },
      { create: { _index: 'b' } },
      { message: 'two' },
    )
    const batch = read(body)
    expect(batch.actions).toEqual([
      { action: 'index', index: 'a', id: '1' },
      { action: 'delete', index: 'a', id: '1' },
      { action: 'update', index: 'a', id: '1' },
      { action: 'create', index: 'b', id: null },
    ])
    expect(batch.records.map(({ message }) => message)).toEqual(['one', 'two'])
    expect(batch.rejected.map(({ index }) => index)).toEqual([1, 2])
    expect(batch.rejected[0]?.reason).toContain('"delete" is refused')
  })

  it('ignores further keys of an action line, like Elasticsearch 8', () => {
    const document =
      '{"@timestamp":"2026-01-02T03:04:05.000Z","message":"cart is empty","severity":"warn","fields":{"cart":7}}\n'
    // The bytes of winston-elasticsearch 0.19.
    const { records, actions } = read(
      `{"create":{"_index":"logs-app-default","pipeline":null},"attempts":0}\n${document}`,
    )
    expect(records).toMatchObject([{ message: 'cart is empty', level: 'warn', service: 'app' }])
    expect(actions).toEqual([{ action: 'create', index: 'logs-app-default', id: null }])
    const fields = { service: 'shop-api', environment: 'staging', traceId: 'abc', order: 7 }
    const named = lines({ create: { _index: 'logs-app-default' } }, { message: 'paid', fields })
    expect(read(named).records).toMatchObject([{ service: 'shop-api', environment: 'staging', traceId: 'abc' }])
    // Filebeat has the settings of an input there.
    const beat = lines({ create: { _index: 'filebeat-8' } }, { message: 'paid', fields: { env: 'qa', service: 'api' } })
    expect(read(beat).records).toMatchObject([{ service: 'api', environment: 'qa' }])
    expect(read('{"index":{"_index":"a"},"create":{}}\n{"message":"x"}\n').actions?.[0]?.action).toBe('index')
  })

  it.each([
    '"pipeline":"p","_type":"_doc","routing":"r","op_type":"create","require_alias":true,"require_data_stream":true',
    '"dynamic_templates":{"a":"b"},"list_executed_pipelines":true,"version":3,"version_type":"external","_source":[]',
    '"pipeline":null,"_id":null,"if_seq_no":1,"if_primary_term":1,"retry_on_conflict":2',
  ])('passes over the settings of an action that mean nothing here: %s', (settings) => {
    expect(read(`{"create":{"_index":"a",${settings}}}\n{"message":"x"}\n`)).toMatchObject({
      accepted: 1,
      rejected: [],
    })
  })

  it('takes null for an index that is not named', () => {
    expect(read('{"create":{"_index":null}}\n{"message":"x"}\n', { index: 'a' }).actions?.[0]?.index).toBe('a')
  })

  it('takes the index of the address where an item names none', () => {
    expect(read(lines({ create: {} }, { message: 'x' }), { index: 'logs-a-b' }).actions?.[0]?.index).toBe('logs-a-b')
  })

  it.each([
    ['application/json; charset=utf-8', ''],
    ['application/vnd.elasticsearch+x-ndjson; compatible-with=8', ''],
    ['', ''],
    ['application/x-ndjson', 'gzip'],
  ])('is understood as %j %s', (type, encoding) => {
    const body = Buffer.from(lines(create(), { message: 'x' }))
    expect(read(encoding === 'gzip' ? gzipSync(body) : body, { type, encoding }).accepted).toBe(1)
  })

  it('passes over blank lines between items and carriage returns', () => {
    expect(read('\r\n{"index":{"_index":"a"}}\r\n{"message":"x"}\r\n\n').accepted).toBe(1)
  })

  it('is named by its bytes only when every document has an id', () => {
    const twice = [{ message: 'x' }, { message: 'x' }]
    expect(read(lines(create('a', '1'), twice[0], create('a', '2'), twice[1])).isNamedByBytes).toBe(true)
    expect(read(lines(create('a', '1'), twice[0], create('a'), twice[1])).isNamedByBytes).toBe(false)
  })

  it('is cleaned of what cannot be stored in an id, like in a document', () => {
    const body = '{"create":{"_index":"a","_id":"\\u0000\\ud800"}}\n{"message":"x"}\n'
    expect(read(body).records[0]!.attributes.get('_id')).toBe('\ufffd\ufffd')
    expect(read(`${body}{"create":{"_index":"a","_id":"b"}}\n{"message":"\\u0000"}\n`).records[1]!.message).toBe(
      '\ufffd',
    )
  })

  it('redacts secrets', () => {
    expect(recordOf('a', { message: 'password=hunter22', user: { password: 'hunter22' } })).not.toMatchObject({
      message: expect.stringContaining('hunter22'),
    })
  })
})

describe('the name of an index', () => {
  it.each([
    ['logs-shop-staging', 'shop', 'staging', false],
    ['logs-nginx.access-eu-west', 'nginx.access', 'eu-west', false],
    ['logs-generic-default', '', 'production', true],
    ['filebeat-8.19.0', '', 'production', true],
    ['logs-shop', '', 'production', true],
    ['logs-shop-2026.10.05', 'shop', 'production', true],
    ['logs-shop-2026-10-05', 'shop', 'production', true],
    ['logs-shop-2026.10', 'shop', 'production', true],
    ['logs-shop-000001', 'shop', 'production', true],
    ['logs-shop-staging-2026.10.05-000001', 'shop', 'staging', false],
    ['logs-2026-10-05', '', 'production', true],
    ['logs-8.19.0-staging', '', 'staging', false],
    ['logs-8.19.0-2026.10.05', '', 'production', true],
    ['logs-shop-eu-2', 'shop', 'eu-2', false],
  ])('%s gives the service %j and the environment %j', (index, service, environment, environmentDefaulted) => {
    const record = recordOf(index, { message: 'x' })
    expect(record).toMatchObject({ service, environment, environmentDefaulted })
    expect(record.attributes.get('_index')).toBe(index)
  })
})

describe('a document', () => {
  it('without a message is kept with its text', () => {
    expect(recordOf('a', { event: { action: 'login' } }).message).toBe('{"event":{"action":"login"}}')
  })

  it('without a message is kept with what was read of it, and numbers to the digit', () => {
    const messageOf = (source: string) => read(`{"index":{"_index":"a"}}\n${source}\n`).records[0]!.message
    expect(messageOf('{"ssn":"078-05-1120","ssn":""}')).toBe('{"ssn":""}')
    expect(messageOf(' {"id":12345678901234567890}\r')).toBe('{"id":12345678901234567890}')
  })

  it('with names of the prototype is kept, and changes nothing', () => {
    const { records } = read(`{"index":{"_index":"a"}}\n{"message":"x","__proto__":{"polluted":true}}\n`)
    expect(records[0]?.attributes.get('__proto__.polluted')).toBe(true)
    expect('polluted' in {}).toBe(false)
  })

  it.each([
    ['broken JSON', '{"message":'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
    ['an empty object', '{}'],
    ['too deep nesting', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
    ['attributes too deep', `{"message":"x","a":${'{"a":'.repeat(9)}1${'}'.repeat(9)}}`],
    ['a time from another century', '{"message":"x","@timestamp":"1999-01-01T00:00:00Z"}'],
    ['a time far ahead', '{"message":"x","@timestamp":"2036-01-01T00:00:00Z"}'],
    ['a time that is none', '{"message":"x","@timestamp":"soon"}'],
    ['too much text', `{"message":"x","a":"${'x'.repeat(300_000)}"}`],
    ['too many attributes', `{"message":"x",${Array.from({ length: 300 }, (_, at) => `"a${at}":1`).join(',')}}`],
  ])('of %s costs its own item', (_, source) => {
    const body = `{"create":{"_index":"a"}}\n${source}\n{"create":{"_index":"a"}}\n{"message":"good"}\n`
    expect(read(body)).toMatchObject({
      total: 2,
      accepted: 1,
      rejected: [{ index: 0, reason: expect.stringMatching(/\.$/) }],
    })
  })
})

describe('a bulk is refused whole', () => {
  it.each([
    ['no body', ''],
    ['no items', '\n\n'],
    ['no newline at its end', '{"index":{"_index":"a"}}\n{"message":"x"}'],
    ['an action that is not JSON', 'x\n{"message":"x"}\n'],
    ['an action that is a list', '[]\n{"message":"x"}\n'],
    ['an unknown action', '{"upsert":{"_index":"a"}}\n{"message":"x"}\n'],
    ['an action without a target', '{"index":1}\n{"message":"x"}\n'],
    ['an action of the prototype', '{"__proto__":{"_index":"a"}}\n{"message":"x"}\n'],
    ['no index', '{"index":{}}\n{"message":"x"}\n'],
    ['an index that is a number', '{"index":{"_index":7}}\n{"message":"x"}\n'],
    ['an index without end', `{"index":{"_index":"${'a'.repeat(600)}"}}\n{"message":"x"}\n`],
    ['an id that is a list', '{"index":{"_index":"a","_id":[]}}\n{"message":"x"}\n'],
    ['an id without end', `{"index":{"_index":"a","_id":"${'a'.repeat(600)}"}}\n{"message":"x"}\n`],
    ['an action without its document', '{"index":{"_index":"a"}}\n'],
    ['documents without actions', '{"message":"x"}\n{"message":"y"}\n'],
    ['an action that is nested too deep', `${'{"index":'.repeat(40)}1${'}'.repeat(40)}\n{}\n`],
  ])('with %s', (_, body) => {
    expect(() => read(body)).toThrow(/The bulk request cannot be read/)
  })

  it('with an index that cannot be stored, in an action or the address', () => {
    const inAction = '{"create":{"_index":"a\\u0000"}}\n{"message":"x"}\n'
    expect(() => read(inAction)).toThrow(/the index of line 1 holds a NUL/)
    expect(() => read('{"create":{}}\n{"message":"x"}\n', { index: 'a\0' })).toThrow(/the index of line 1 holds a NUL/)
  })

  it('with too many items, bad text, another type or a broken encoding', () => {
    expect(() => read('{"delete":{"_index":"a","_id":"1"}}\n'.repeat(50_001))).toThrow(/at most 50,000/)
    expect(() => read(Buffer.from([0x7b, 0xff, 0x0a]))).toThrow(/not valid UTF-8/)
    expect(() => read('{}\n', { type: 'text/html' })).toThrow(/Content-Type is not understood/)
    expect(() => read('{}\n', { encoding: 'gzip' })).toThrow(/not valid gzip/)
  })
})
