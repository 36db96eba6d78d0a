import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pushRequest, snappyLiterals } from '../testing/loki-protobuf.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import type { EncodeJob } from './encode-batch.ts'
import { EncodePool } from './encode-pool.ts'

let pool: EncodePool
beforeAll(() => {
  pool = new EncodePool({ threads: 1, log: pino({ level: 'silent' }) })
})
afterAll(() => pool.close())

const LOKI = { protocol: 'loki' } as const
const push = snappyLiterals(pushRequest([{ labels: '{}', entries: [{ seconds: RECEIVED_US / 1e6, line: 'x' }] }]))
const json = Buffer.from(JSON.stringify({ streams: [{ stream: {}, values: [[`${RECEIVED_US}000`, 'x']] }] }))

const job = (body: Buffer, more: Partial<EncodeJob>): EncodeJob => ({
  body,
  contentType: '',
  contentEncoding: '',
  receivedUs: RECEIVED_US,
  projectId: 'p',
  project: { defaultEnvironment: 'production', retentionDays: 30 },
  redaction: { disabled: [], rules: [], fields: [] },
  ...more,
})

describe('a small body', () => {
  it.each<[string, 'at once' | 'in a thread', Buffer, Partial<EncodeJob>]>([
    ['records', 'at once', Buffer.from('{"message":"x"}'), {}],
    ['a push in JSON', 'at once', json, { contentType: 'application/json', sender: LOKI }],
    ['a push in snappy', 'in a thread', push, { contentType: 'application/x-protobuf', sender: LOKI }],
    ['a push in snappy that names no type', 'in a thread', push, { sender: LOKI }],
  ])('of %s is encoded %s', async (_, place, body, more) => {
    const size = body.length
    const encoded = pool.encode(job(Buffer.from(body), more))
    expect(pool.waitingBytes).toBe(place === 'at once' ? 0 : size)
    expect(await encoded).toMatchObject({ accepted: 1 })
    expect(pool.waitingBytes).toBe(0)
  })
})

describe('a batch of a project with rules of its own', () => {
  const own = (message: string, pattern: string) => {
    const redaction = { disabled: [], rules: [{ name: 'own', pattern }], fields: [] }
    return pool.encode(job(Buffer.from(JSON.stringify({ message })), { redaction }))
  }

  it('is never encoded in the main thread, however small it is', async () => {
    const encoded = own('emp-1234', 'emp-[0-9]{4}')
    expect(pool.waitingBytes).toBeGreaterThan(0)
    expect(await encoded).toMatchObject({ accepted: 1, redactions: { own: 1 } })
  })

  it('is redacted by a stored rule that is beyond a limit set later', async () => {
    expect(await own('an xxy', 'x{1,999}y')).toMatchObject({ accepted: 1, redactions: { own: 1 } })
  })
})

describe('batches without own rules', () => {
  it('are encoded in turns between projects, not in the order in which they came', async () => {
    const order: string[] = []
    const body = Buffer.from(`${JSON.stringify({ message: 'x'.repeat(1_000) })}\n`.repeat(300))
    const names = ['many', 'many', 'many', 'many', 'one']
    await Promise.all(
      names.map(async (name) => {
        await pool.encode(job(Buffer.from(body), { projectId: name, contentType: 'application/x-ndjson' }))
        order.push(name)
      }),
    )
    expect(order.indexOf('one')).toBeLessThan(3)
  })
})
