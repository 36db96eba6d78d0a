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
