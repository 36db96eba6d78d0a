import { describe, expect, it } from 'vitest'
import { RECEIVED_US, readBody } from '../../testing/read-body.ts'
import { framed } from '../framed.ts'
import { EntrySplitter } from './entry-splitter.ts'

type Fields = Record<string, string | Buffer>
const TIME = String(RECEIVED_US - 1_234_567)
const BASE = {
  __CURSOR: 's=1;i=2',
  __REALTIME_TIMESTAMP: TIME,
  __MONOTONIC_TIMESTAMP: '5',
  _BOOT_ID: 'b1',
}

/** As the journal writes it: a value with a line end in it has its length before it. */
function exported(fields: Fields): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => {
    const bytes = Buffer.from(value)
    if (!bytes.includes('\n')) return Buffer.concat([Buffer.from(`${name}=`), bytes, Buffer.from('\n')])
    const size = Buffer.alloc(8)
    size.writeBigUInt64LE(BigInt(bytes.length))
    return Buffer.concat([Buffer.from(`${name}\n`), size, bytes, Buffer.from('\n')])
  })
  return Buffer.concat([...parts, Buffer.from('\n')])
}

const read = (...entries: Fields[]) =>
  readBody(framed([...new EntrySplitter().push(Buffer.concat(entries.map(exported)))]), {
    sender: { protocol: 'journald' },
    type: '',
  })
const recordOf = (fields: Fields) => read({ ...BASE, MESSAGE: 'hello', ...fields }).records[0]!
const attributesOf = (fields: Fields) => Object.fromEntries(recordOf(fields).attributes)

describe('an entry of a journal', () => {
  it('becomes a record with all that its fields say', () => {
    const fields = {
      PRIORITY: '4',
      SYSLOG_FACILITY: '3',
      SYSLOG_IDENTIFIER: 'node',
      MESSAGE: 'cart is empty',
      CODE_FILE: 'cart.c',
      ORDER_ID: '7',
      ENVIRONMENT: 'staging',
      _PID: '4711',
      _COMM: 'node',
      _SYSTEMD_UNIT: 'shop.service',
      _HOSTNAME: 'web-1',
    }
    expect(recordOf(fields)).toMatchObject({
      timeUs: Number(TIME),
      level: 'warn',
      service: 'shop',
      host: 'web-1',
      environment: 'staging',
      message: 'cart is empty',
    })
    expect(attributesOf(fields)).toEqual({
      'syslog.facility': 'daemon',
      syslog_identifier: 'node',
      code_file: 'cart.c',
      order_id: '7',
      'journald.boot_id': 'b1',
      'journald.pid': '4711',
      'journald.comm': 'node',
    })
  })

  it('needs nothing but a message', () => {
    expect(read({ MESSAGE: 'hello' }).records).toMatchObject([
      { timeUs: RECEIVED_US, level: 'info', service: '', host: '', environmentDefaulted: true, message: 'hello' },
    ])
  })

  it.each<[string, Fields]>([
    ['shop', { _SYSTEMD_UNIT: 'shop.service', SYSLOG_IDENTIFIER: 'node' }],
    ['cart', { CONTAINER_NAME: 'cart', _SYSTEMD_UNIT: 'docker.service', SYSLOG_IDENTIFIER: 'a1b2' }],
    ['notes', { _SYSTEMD_UNIT: 'user@1000.service', _SYSTEMD_USER_UNIT: 'notes.service', _COMM: 'node' }],
    ['sudo', { _SYSTEMD_UNIT: 'session-3.scope', SYSLOG_IDENTIFIER: 'sudo', _COMM: 'sudo' }],
    ['kernel', { SYSLOG_IDENTIFIER: 'kernel', _TRANSPORT: 'kernel' }],
    ['app@blue', { _SYSTEMD_UNIT: 'app@blue.service' }],
    ['bash', { _SYSTEMD_UNIT: 'user@1000.service', _COMM: 'bash' }],
  ])('has the service %s by the first field that names one', (service, fields) => {
    expect(recordOf(fields).service).toBe(service)
  })

  it('with a JSON object as its message is read like a record, whose words come first', () => {
    const MESSAGE = '{"msg":"cart is empty","level":"error","service":"cart","user":7}'
    const record = recordOf({ MESSAGE, PRIORITY: '6', _SYSTEMD_UNIT: 'shop.service' })
    expect(record).toMatchObject({ level: 'error', service: 'cart', message: 'cart is empty' })
    expect(Object.fromEntries(record.attributes)).toMatchObject({
      user: 7,
      'journald.systemd_unit': 'shop',
      priority: '6',
    })
  })

  it('keeps a message of several lines, and finds the error in it', () => {
    const MESSAGE = 'TypeError: x is undefined\n    at cart (/srv/cart.js:7:3)\n    at main (/srv/main.js:1:1)'
    expect(recordOf({ MESSAGE })).toMatchObject({ message: MESSAGE, error: { type: 'TypeError' } })
  })

  it('may hold bytes that are no UTF-8, and NULs', () => {
    expect(recordOf({ MESSAGE: Buffer.from([0x63, 0xe9, 0, 0x64]) }).message).toBe('c\uFFFD\uFFFDd')
  })

  it('keeps a field that comes twice', () => {
    const twice = Buffer.from('MESSAGE=a\nMESSAGE=b\nDOCUMENTATION=x\nDOCUMENTATION=y\n')
    const { records } = readBody(framed([twice]), { sender: { protocol: 'journald' }, type: '' })
    expect(records[0]!.message).toBe('a')
    expect(Object.fromEntries(records[0]!.attributes)).toEqual({
      message: 'b',
      documentation: 'x',
      'documentation#2': 'y',
    })
  })

  it('says which of its fields were too large', () => {
    expect(attributesOf({ COREDUMP: 'x'.repeat(300_000) })).toMatchObject({ 'journald.left_out': 'coredump' })
  })

  it('has its secrets redacted', () => {
    const record = recordOf({
      MESSAGE: `Upload to https://a:tidemark_ingest_${'a'.repeat(36)}@host failed`,
      PASSWORD: 'hunter2',
    })
    expect(JSON.stringify([record.message, ...record.attributes])).not.toMatch(/aaaa|hunter2/)
  })

  it.each<[string, Fields, RegExp]>([
    ['no message', { PRIORITY: '3' }, /needs a `message`/],
    ['an empty message', { MESSAGE: '' }, /needs a `message`/],
    [
      'a time that is none',
      { ...BASE, MESSAGE: 'x', __REALTIME_TIMESTAMP: 'yesterday' },
      /not a number of microseconds/,
    ],
    [
      'a time beyond all numbers',
      { ...BASE, MESSAGE: 'x', __REALTIME_TIMESTAMP: '9'.repeat(40) },
      /not a number of microseconds/,
    ],
    [
      'a time of long ago',
      { ...BASE, MESSAGE: 'x', __REALTIME_TIMESTAMP: '915148800000000' },
      /older than the project keeps/,
    ],
    ['a time far ahead', { ...BASE, MESSAGE: 'x', __REALTIME_TIMESTAMP: '4070908800000000' }, /ahead/],
    [
      'too many fields',
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`F${at}`, 'x'])),
      /attributes|needs/,
    ],
    [
      'more fields than an entry has',
      Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`F${at}`, 'x'])),
      /more than 1,024 fields/,
    ],
    [
      'more text than a record holds',
      { MESSAGE: 'x', A: 'x'.repeat(200_000), B: 'x'.repeat(200_000) },
      /more than 256 KiB/,
    ],
    ['an environment without end', { MESSAGE: 'x', ENVIRONMENT: 'e'.repeat(300) }, /environment/],
  ])('with %s costs itself alone', (_, bad, reason) => {
    const { records, rejected } = read({ MESSAGE: 'before' }, bad, { MESSAGE: 'after' })
    expect(records.map(({ message }) => message)).toEqual(['before', 'after'])
    expect(rejected).toEqual([{ index: 1, reason: expect.stringMatching(reason) }])
  })
})

describe('a batch of entries', () => {
  it('is named by its bytes when each of them has a cursor', () => {
    expect(read({ ...BASE, MESSAGE: 'a' }, { ...BASE, MESSAGE: 'b' }).isNamedByBytes).toBe(true)
    expect(read({ ...BASE, MESSAGE: 'a' }, { MESSAGE: 'b' }).isNamedByBytes).toBe(false)
    expect(read().isNamedByBytes).toBe(false)
  })
})
