/** Records without a level, at every door, whose text begins with one. */
import { describe, expect, it } from 'vitest'
import { RECEIVED_US, readBody } from '../testing/read-body.ts'
import { framed } from './framed.ts'
import type { Sender } from './sender.ts'

const NANOS = `${RECEIVED_US}000`
const read = (body: unknown, sender?: Sender, type?: string) =>
  readBody(body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body), {
    ...(sender && { sender }),
    ...(type !== undefined && { type }),
  }).records[0]!
const journal = (message: string, fields = '') =>
  framed([Buffer.from(`__REALTIME_TIMESTAMP=${RECEIVED_US}\nMESSAGE=${message}\n${fields}`)])

const DOORS: Record<string, (message: string) => ReturnType<typeof read>> = {
  '/v1/logs': (message) => read({ message }),
  OTLP: (message) => read({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: message } }] }] }] }),
  Loki: (message) => read({ streams: [{ stream: {}, values: [[NANOS, message]] }] }, { protocol: 'loki' }),
  Datadog: (message) => read([{ message }], { protocol: 'datadog' }),
  Elasticsearch: (message) =>
    read(`{"create":{}}\n${JSON.stringify({ message })}\n`, { protocol: 'elasticsearch', index: 'a' }, ''),
  'syslog without a priority': (message) => read(framed([Buffer.from(message)]), { protocol: 'syslog' }, ''),
  'the journal': (message) => read(journal(message), { protocol: 'journald' }, ''),
  'the journal, with what journald adds': (message) =>
    read(journal(message, 'PRIORITY=6\n_TRANSPORT=stdout\n'), { protocol: 'journald' }, ''),
}

describe.each(Object.entries(DOORS))('at the door %s', (_, recordOf) => {
  it.each([
    ['2026-11-19 20:40:00 ERROR payment failed', 'error'],
    ['level=error msg="payment failed"', 'error'],
    ['time=2026-11-19T20:40:00.123+01:00 level=WARN msg=slow', 'warn'],
    ['[2026-11-19T20:45:12,480][WARN ][o.e.c.r.a.D] [node-1] x', 'warn'],
    ['E1119 20:40:00.123456       1 server.go:12] no', 'error'],
    ['no ERROR found', 'info'],
    ['Error budget report', 'info'],
  ])('%j has its level and stays as it is', (message, level) => {
    expect(recordOf(message)).toMatchObject({ message, level })
  })
})

describe('a level that was sent', () => {
  it('stays', () => {
    const message = 'ERROR payment failed'
    expect(read({ message, level: 'debug' }).level).toBe('debug')
    expect(read({ message, level: 'loud' }).level).toBe('info')
    expect(read([{ message, status: 'info' }], { protocol: 'datadog' }).level).toBe('info')
    expect(read(framed([Buffer.from(`<14>${message}`)]), { protocol: 'syslog' }, '').level).toBe('info')
    const priority = 'PRIORITY=5\n_TRANSPORT=stdout\n'
    expect(read(journal(message, priority), { protocol: 'journald' }, '').level).toBe('info')
    const syslog = 'PRIORITY=6\n_TRANSPORT=syslog\n'
    expect(read(journal(message, syslog), { protocol: 'journald' }, '').level).toBe('info')
  })

  it('may be under the name that PostgreSQL uses', () => {
    const line = { timestamp: '2026-01-02 03:04:05.000 UTC', error_severity: 'FATAL', message: 'no role "app"' }
    expect(read(line)).toMatchObject({ level: 'fatal', message: 'no role "app"' })
    expect(read({ ...line, error_severity: 'LOG' }).level).toBe('info')
  })
})
