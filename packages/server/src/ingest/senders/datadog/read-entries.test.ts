import { describe, expect, it } from 'vitest'
import { RECEIVED_US, readBody } from '../../testing/read-body.ts'

const sender = { protocol: 'datadog' } as const
const read = (body: unknown, type = 'application/json') => readBody(JSON.stringify(body), { sender, type })
const recordOf = (entry: object) => read([entry]).records[0]!

describe('an entry', () => {
  it('becomes a record, with its tags', () => {
    const entry = {
      ddsource: 'nodejs',
      ddtags: 'env:staging,version:1.2.3, team:payments ,urgent,,url:http://a:1',
      hostname: 'web-1',
      service: 'shop',
      status: 'warn',
      timestamp: RECEIVED_US / 1_000 - 5,
      message: 'cart is empty',
      user: { id: 7 },
    }
    expect(recordOf(entry)).toMatchObject({
      timeUs: RECEIVED_US - 5_000,
      level: 'warn',
      message: 'cart is empty',
      service: 'shop',
      host: 'web-1',
      environment: 'staging',
      release: '1.2.3',
      attributes: new Map<string, unknown>([
        ['ddsource', 'nodejs'],
        ['user.id', 7],
        ['team', 'payments'],
        ['urgent', true],
        ['url', 'http://a:1'],
      ]),
    })
  })

  it('whose message is JSON is read from it first', () => {
    const message = JSON.stringify({ level: 'error', msg: 'failed', service: 'inner' })
    expect(recordOf({ message, status: 'info', service: 'outer' })).toMatchObject({
      level: 'error',
      message: 'failed',
      service: 'inner',
      attributes: new Map([
        ['status', 'info'],
        ['service', 'outer'],
      ]),
    })
  })

  it.each<[unknown, string]>([
    ['emergency', 'fatal'],
    [3, 'error'],
    ['3', 'error'],
    ['ok', 'info'],
    [undefined, 'info'],
  ])('of status %j is %s', (status, level) => {
    expect(recordOf({ message: 'x', status }).level).toBe(level)
  })

  it.each([200, 404, '200', 8, -1, 2.5, [3], 'shipped', true])('keeps a status of %j, which is no level', (status) => {
    const { level, attributes } = recordOf({ message: 'x', status })
    expect([level, attributes.get('status')]).toEqual(['info', Array.isArray(status) ? '[3]' : status])
  })

  it.each([
    { level: 'warn', status: 'error' },
    { status: 'error', level: 'warn' },
  ])('trusts its status before its level: %j', (entry) => {
    const { level, attributes } = recordOf({ message: 'x', ...entry })
    expect([level, ...attributes]).toEqual(['error', ['level', 'warn']])
  })

  it('may call its message as other records do', () => {
    expect(recordOf({ msg: 'hello', cart: 7 })).toMatchObject({ message: 'hello', attributes: new Map([['cart', 7]]) })
    expect(recordOf({ msg: 'hello', message: 'x' })).toMatchObject({
      message: 'x',
      attributes: new Map([['msg', 'hello']]),
    })
  })

  it('says its environment itself before a tag does, and keeps what it says of others', () => {
    expect(recordOf({ message: 'x', env: 'a', ddtags: 'env:b' })).toMatchObject({
      environment: 'a',
      attributes: new Map([['env', 'b']]),
    })
  })

  it('with names of the prototype, tags that are a list and secrets is kept safely', () => {
    const body = '[{"message":"x","__proto__":{"polluted":1},"ddtags":["a:b"],"password":"hunter22"}]'
    const [record] = readBody(body, { sender }).records
    expect(Object.fromEntries(record!.attributes)).toMatchObject({ ddtags: '["a:b"]' })
    expect(record!.attributes.get('__proto__.polluted')).toBe(1)
    expect(record!.attributes.get('password')).not.toContain('hunter22')
    expect('polluted' in {}).toBe(false)
  })

  it.each<[unknown, string]>([
    [1, 'a number'],
    [null, 'null'],
    [[], 'a list'],
    [{}, 'no message'],
    [{ message: '' }, 'an empty message'],
    [{ message: 'x', timestamp: '1999-01-01T00:00:00Z' }, 'a time from another century'],
    [{ message: 'x', timestamp: '2036-01-01T00:00:00Z' }, 'a time far ahead'],
    [{ message: 'x', ddtags: `env:${'e'.repeat(300)}` }, 'an environment without end'],
    [{ message: 'x', a: 'x'.repeat(300_000) }, 'too much text'],
    [{ message: 'x', ddtags: Array.from({ length: 300 }, (_, at) => `t${at}:1`).join() }, 'too many tags'],
  ])('%j, %s, costs itself only', (entry, _) => {
    expect(read([entry, { message: 'good' }])).toMatchObject({ total: 2, accepted: 1, rejected: [{ index: 0 }] })
  })
})

describe('tags', () => {
  it.each<[string, Record<string, unknown>]>([
    [' a : b ', { a: ' b' }],
    ['a:', { a: '' }],
    [':b,,', {}],
    ['a,b:c:d', { a: true, b: 'c:d' }],
  ])('%j are read', (ddtags, attributes) => {
    expect(Object.fromEntries(recordOf({ message: 'x', ddtags }).attributes)).toEqual(attributes)
  })

  it('beyond what a record may hold are not looked at', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${at}:1`).join()
    expect(recordOf({ message: 'x', ddtags: tags(256) }).attributes.size).toBe(256)
    expect(read([{ message: 'x', ddtags: tags(257) }]).rejected[0]?.reason).toContain('more than 256 tags')
    expect(read([{ message: 'x', ddtags: 't:1,'.repeat(1_000_000) }]).rejected[0]?.reason).toContain('more than 256')
  })

  it('of much white space are read in one go', () => {
    const { rejected } = read([{ message: 'x', ddtags: `a${' '.repeat(200_000)}b` }])
    expect(rejected[0]?.reason).toContain('more than 128 bytes')
  })
})

describe('the parameters of the address', () => {
  const defaults = {
    ddsource: 'nodejs',
    ddtags: 'env:staging,version:9,team:a,urgent',
    service: 'shop',
    hostname: 'web-9',
  }
  const withDefaults = (entry: unknown) =>
    readBody(JSON.stringify(entry), { sender: { protocol: 'datadog', defaults } })

  it('fill what an entry leaves out', () => {
    expect(withDefaults([{ message: 'm' }]).records).toMatchObject([
      {
        service: 'shop',
        host: 'web-9',
        environment: 'staging',
        environmentDefaulted: false,
        release: '9',
        attributes: new Map<string, unknown>([
          ['ddsource', 'nodejs'],
          ['team', 'a'],
          ['urgent', true],
        ]),
      },
    ])
  })

  it('give way to the entry, its tags and a message that is JSON', () => {
    const message = JSON.stringify({ msg: 'm', dd: { env: 'qa', version: '7' } })
    const entry = { message, service: 'cart', hostname: 'web-1', ddsource: 'go', ddtags: 'team:b' }
    expect(withDefaults(entry).records).toMatchObject([
      {
        service: 'cart',
        host: 'web-1',
        environment: 'qa',
        release: '7',
        attributes: new Map<string, unknown>([
          ['ddsource', 'go'],
          ['team', 'b'],
          ['urgent', true],
        ]),
      },
    ])
  })

  it('cost their bytes with every entry but the first', () => {
    const one = withDefaults([{ message: 'm' }])
    const three = withDefaults([{ message: 'm' }, { message: 'm' }, { message: 'm' }])
    expect([one.spreadBytes, three.spreadBytes > 0]).toEqual([0, true])
    const large = { ddtags: 't'.repeat(10_000) }
    const many = JSON.stringify(Array(5_000).fill({ message: 'm' }))
    expect(() => readBody(many, { sender: { protocol: 'datadog', defaults: large } })).toThrow(/or tags/)
  })

  it('are cleaned of what cannot be stored', () => {
    const sender = { protocol: 'datadog', defaults: { service: 'a\0' } } as const
    expect(readBody('{"message":"m"}', { sender }).records[0]?.service).toBe('a\ufffd')
  })
})

describe('a request', () => {
  it('may hold one entry, and may be called text', () => {
    expect(read({ message: 'x' }).accepted).toBe(1)
    expect(read({ message: 'x' }, 'text/plain').accepted).toBe(1)
    expect(read([]).accepted).toBe(0)
    expect(read({})).toMatchObject({ total: 0, rejected: [] })
  })

  it('is never taken for another one that is equal: entries have no identity', () => {
    expect(read({ message: 'x' }).isNamedByBytes).toBeUndefined()
  })

  it.each(['', 'x', '"x"', '1', 'null', '[{"message":"x"}', '{"message":"x"}{"message":"y"}'])(
    'of %j is refused',
    (body) => {
      expect(() => readBody(body, { sender })).toThrow(/JSON list of entries/)
    },
  )

  it('of another type, too deep or too large is refused', () => {
    expect(() => read({ message: 'x' }, 'application/logplex-1')).toThrow(/not understood/)
    expect(() => read({ message: 'x' }, 'application/x-ndjson')).toThrow(/as application\/json/)
    expect(() => readBody('['.repeat(40), { sender })).toThrow(/nested deeper/)
    expect(() => read(Array(50_001).fill({ message: 'x' }))).toThrow(/at most 50,000/)
    expect(() => readBody(Buffer.from([0x22, 0xff, 0x22]), { sender })).toThrow(/not valid UTF-8/)
  })
})
