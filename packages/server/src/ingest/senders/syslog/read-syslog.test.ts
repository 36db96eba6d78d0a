import { describe, expect, it } from 'vitest'
import { readBody } from '../../testing/read-body.ts'
import { framed } from '../framed.ts'

const RECEIVED_US = Date.parse('2026-11-15T12:00:00Z') * 1_000
const sender = { protocol: 'syslog' } as const
const read = (...messages: (string | Buffer)[]) =>
  readBody(framed(messages.map((message) => Buffer.from(message))), { sender, type: '', receivedUs: RECEIVED_US })
const recordOf = (message: string | Buffer) => read(message).records[0]!
const attributesOf = (message: string) => Object.fromEntries(recordOf(message).attributes)
const RECEIVED = new Date(RECEIVED_US / 1_000).toISOString()
const timeOf = (message: string) => new Date(recordOf(message).timeUs / 1_000).toISOString()

describe('a message of RFC 5424', () => {
  it('becomes a record with all that its header says', () => {
    const message = `<131>1 ${RECEIVED} web-1.example shop 4711 ID47 [tidemark@32473 environment="staging" release="1.2"][exampleSDID@32473 iut="3" eventSource="Application"] \uFEFFcart is empty`
    expect(recordOf(message)).toMatchObject({
      timeUs: RECEIVED_US,
      level: 'error',
      service: 'shop',
      host: 'web-1.example',
      environment: 'staging',
      release: '1.2',
      message: 'cart is empty',
    })
    expect(attributesOf(message)).toEqual({
      'syslog.facility': 'local0',
      'syslog.procid': '4711',
      'syslog.msgid': 'ID47',
      'exampleSDID@32473.iut': '3',
      'exampleSDID@32473.eventSource': 'Application',
    })
  })

  it('may leave everything out but its text', () => {
    expect(recordOf('<14>1 - - - - - - hello')).toMatchObject({
      timeUs: RECEIVED_US,
      level: 'info',
      service: '',
      host: '',
      environmentDefaulted: true,
      message: 'hello',
    })
  })

  it('with a JSON object as its text is read like a record, whose words come first', () => {
    const text = '{"msg":"cart is empty","level":"warn","service":"cart","env":"canary","user":7}'
    const message = `<14>1 ${RECEIVED} web-1 shop - - [tidemark environment="staging"] ${text}`
    expect(recordOf(message)).toMatchObject({
      level: 'warn',
      service: 'cart',
      environment: 'canary',
      message: 'cart is empty',
    })
    expect(attributesOf(message)).toMatchObject({ user: 7, 'syslog.app_name': 'shop', 'syslog.severity': 6 })
  })

  it.each([
    ['a time that is none', '<14>1 yesterday h a - - - x', /time of the message is not understood/],
    ['structured data that is none', `<14>1 ${RECEIVED} h a - - x`, /structured data is not well formed/],
    ['no text', `<14>1 ${RECEIVED} h a - - -`, /needs a `message`/],
    ['a time of long ago', '<14>1 1999-01-01T00:00:00Z h a - - - x', /older than the project keeps/],
    ['a time far ahead', '<14>1 2099-01-01T00:00:00Z h a - - - x', /ahead/],
  ])('with %s costs itself alone', (_, bad, reason) => {
    const { records, rejected } = read('<14>1 - - - - - - before', bad, '<14>1 - - - - - - after')
    expect(records.map(({ message }) => message)).toEqual(['before', 'after'])
    expect(rejected).toEqual([{ index: 1, reason: expect.stringMatching(reason) }])
  })
})

describe('a message of RFC 3164', () => {
  it.each([
    ['<30>Nov 15 11:59:58 web-1 shop[17]: cart is empty', 'web-1', 'shop', '17'],
    ['<30>Nov 15 11:59:58 web-1 shop: cart is empty', 'web-1', 'shop', undefined],
    ['<30>Nov 15 11:59:58 shop[17]: cart is empty', '', 'shop', '17'],
    ['<30>Nov 15 11:59:58 2001:db8::1 docker/shop[17]: cart is empty', '2001:db8::1', 'docker/shop', '17'],
    ['<30>shop[17]: cart is empty', '', 'shop', '17'],
    ['<30>cart is empty', '', '', undefined],
    ['cart is empty', '', '', undefined],
  ])('is read as far as it goes: %s', (message, host, service, process) => {
    expect(recordOf(message)).toMatchObject({ host, service, level: 'info', message: 'cart is empty' })
    expect(recordOf(message).attributes.get('syslog.procid')).toBe(process)
  })

  it.each([
    ['<30>Nov  5 03:04:05 h a: x', '2026-11-05T03:04:05.000Z'],
    ['<30>Nov 15 11:59:58.123 h a: x', '2026-11-15T11:59:58.123Z'],
    ['<30>Nov 15 2026 11:59:58 h a: x', '2026-11-15T11:59:58.000Z'],
    ['<30>Nov 15 11:59:58 2026 h a: x', '2026-11-15T11:59:58.000Z'],
    ['<30>Nov 15 11:59:58 CET h a: x', '2026-11-15T10:59:58.000Z'],
    ['<30>2026-11-15T11:59:58.123+01:00 h a: x', '2026-11-15T10:59:58.123Z'],
    ['<30>Nov 16 02:00:00 h a: x', '2026-11-16T02:00:00.000Z'],
  ])('has the time that it says: %s', (message, time) => {
    expect(timeOf(message)).toBe(time)
  })

  it('of December that comes in January is of the year before, and the other way round', () => {
    const at = (received: string, message: string) => {
      const receivedUs = Date.parse(received) * 1_000
      const { records } = readBody(framed([Buffer.from(message)]), { sender, type: '', receivedUs })
      return new Date(records[0]!.timeUs / 1_000).toISOString()
    }
    expect(at('2027-01-01T00:00:05Z', '<30>Dec 31 23:59:58 h a: x')).toBe('2026-12-31T23:59:58.000Z')
    expect(at('2026-12-31T23:59:58Z', '<30>Jan  1 00:00:05 h a: x')).toBe('2027-01-01T00:00:05.000Z')
  })
})

describe('any message', () => {
  it.each([
    [0, 'fatal', 'kern'],
    [11, 'error', 'user'],
    [28, 'warn', 'daemon'],
    [37, 'info', 'auth'],
    [191, 'debug', 'local7'],
  ])('of priority %i has the level %s and the facility %s', (priority, level, facility) => {
    const record = recordOf(`<${priority}>x`)
    expect([record.level, record.attributes.get('syslog.facility')]).toEqual([level, facility])
  })

  it('with a priority that does not exist is text', () => {
    expect(recordOf('<192>x').message).toBe('<192>x')
    expect(recordOf('<1234>x').message).toBe('<1234>x')
  })

  it('may hold bytes that are no UTF-8, and NULs, which cost nothing but themselves', () => {
    const bytes = Buffer.from([...Buffer.from('<14>caf'), 0xe9, 0, ...Buffer.from(' closed')])
    expect(recordOf(bytes).message).toBe('caf\uFFFD\uFFFD closed')
  })

  it('has its secrets redacted', () => {
    expect(recordOf('<14>login with password=hunter2hunter2').message).not.toContain('hunter2')
    expect(recordOf(`<14>key is tidemark_ingest_${'a'.repeat(36)}`).message).not.toContain('aaaa')
  })
})
