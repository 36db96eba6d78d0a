import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { RetentionRuleInput } from '@tidemark/wire/retention'
import { DAY_MS, HOUR_MS } from '@tidemark/wire/time/units'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Control, openControl } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { LogStore, Segment } from '../../logstore/log-store.ts'
import { EncodePool } from '../encode/encode-pool.ts'
import { framed } from '../senders/framed.ts'
import type { Sender } from '../senders/sender.ts'
import { Flusher } from '../spool/flusher.ts'
import { Spool } from '../spool/spool.ts'
import { framesOf } from '../testing/scan-segment.ts'
import { type Accept, createAccept } from './accept.ts'

const log = pino({ level: 'silent' })
const BAD = { message: '' }

let dataDir: string
let control: Control
let pool: EncodePool
let key: string
let nowMs: number
let stored: number[]
let isFull: boolean
let nodes: Node[]

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'accept-'))
  control = await openControl({ databaseUrl: undefined, dataDir })
  pool = new EncodePool({ threads: 1, log })
  nowMs = Date.UTC(2026, 5, 15)
  stored = []
  isFull = false
  nodes = []
  const change = { by: 'test', nowMs }
  const project = await control.projects.create({ name: 'shop', retentionDays: 30 }, change)
  const created = await control.keys.create(
    { projectId: project.id, kind: 'ingest', name: 'k', expiresAtMs: null },
    change,
  )
  key = created.secret
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await pool.close()
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Node = { accept: Accept; load(): Promise<void>; close(): Promise<void> }

/** A node with a spool of its own; what `load` brings to the log store is in `stored`, as records per frame. */
async function openNode(): Promise<Node> {
  const folder = join(dataDir, `spool-${nodes.length}`)
  const now = () => nowMs
  // Its clock stands still, so that no segment is sealed but by `load`.
  const spool = await Spool.open({
    folder,
    space: { check: async () => {} },
    maxSegmentBytes: () => 1e6,
    log,
    now: () => 0,
  })
  const append = spool.append.bind(spool)
  spool.append = (meta, payload) =>
    isFull ? Promise.reject(new AppError('storage_full', 'The disk is full.')) : append(meta, payload)
  const logStore = {
    load: async ({ path }: Segment) => {
      for (const { meta } of await framesOf(path)) stored.push(meta.records)
    },
    loadedDays: async () => new Map(),
    isLoadedAgain: () => false,
  } as unknown as LogStore
  const flusher = new Flusher({ folder, spool, logStore, control, log, now })
  await flusher.start()
  const node = {
    accept: createAccept({ control, spool, pool, now }),
    async load() {
      await spool.sealIfOlderThan(0)
      await expect.poll(() => spool.bytes, { timeout: 10_000 }).toBe(0)
    },
    async close() {
      await spool.close()
      await flusher.stop(5_000)
    },
  }
  nodes.push(node)
  return node
}

type Options = { id?: string; pack?: (plain: Buffer) => Buffer; headers?: Record<string, string> }

async function send(node: Node, records: unknown, { id = 'b', pack = (plain) => plain, headers = {} }: Options = {}) {
  const all = { 'x-api-key': key, 'content-type': 'application/json', 'x-batch-id': id, ...headers }
  const body = pack(Buffer.from(JSON.stringify(records)))
  try {
    const { accepted, rejected } = await node.accept.batch(await node.accept.authenticate(all), all, body)
    return { accepted, rejected: rejected.length }
  } catch (error) {
    if (error instanceof AppError) return { status: error.status, code: error.code, message: error.message }
    throw error
  }
}

const CHANGED = { status: 409, code: 'batch_changed' }

it('refuses a batch id of other characters and says which it may have', async () => {
  expect(await send(await openNode(), [{ message: 'one' }], { id: 'a b' })).toMatchObject({
    code: 'invalid_request',
    message: 'X-Batch-Id (or Idempotency-Key) must be 1 to 64 characters: letters, digits and _ . : -.',
  })
})

it('stores and acknowledges nothing of a batch that own rules cannot redact in time, and takes it once they are simpler', async () => {
  const own = async (pattern: string) => {
    const redaction = { rules: [{ name: 'own', pattern }] }
    await control.projects.changeSettings((await control.projects.list())[0]!.id, { redaction }, { by: 'test', nowMs })
  }
  const records = [{ message: 'z'.repeat(60_000) }]
  await pool.close()
  pool = new EncodePool({ threads: 1, ownRules: { runMs: 1, waitMs: 600_000 }, log })
  await own('z.*[yw]|z')
  const node = await openNode()
  expect(await send(node, records)).toMatchObject({ status: 503, code: 'unavailable' })
  expect(node.accept.stats.batches).toBe(0)
  await pool.close()
  pool = new EncodePool({ threads: 1, log })
  await own('z{100}')
  const next = await openNode()
  expect(await send(next, records)).toEqual({ accepted: 1, rejected: 0 })
  await Promise.all([node.load(), next.load()])
  expect(stored).toEqual([1])
})

describe('a batch id that was used', () => {
  it('is refused for other bytes, before and after the first ones are loaded, on every node', async () => {
    const [node, other] = [await openNode(), await openNode()]
    expect(await send(node, [{ message: 'one' }, BAD])).toEqual({ accepted: 1, rejected: 1 })
    const mended = [{ message: 'one' }, { message: 'two' }]
    expect(await send(node, mended)).toMatchObject(CHANGED)
    await node.load()
    expect(await send(node, mended)).toMatchObject(CHANGED)
    expect(await send(other, mended)).toMatchObject(CHANGED)
    expect(await send(await openNode(), mended, { id: 'c' })).toEqual({ accepted: 2, rejected: 0 })
    await other.load()
    expect(stored).toEqual([1])
  })

  it('is refused with what to do', async () => {
    const node = await openNode()
    await send(node, [{ message: 'one' }])
    expect((await send(node, [{ message: 'two' }])).message).toMatchInlineSnapshot(
      `"The batch id "b" was used for a batch with other bytes within the last 24 hours. None of this request was stored: send a changed batch under a new batch id."`,
    )
  })

  it('answers an exact repeat like the first time and stores it once, on any node, loaded or not', async () => {
    const [node, other] = [await openNode(), await openNode()]
    const records = [{ message: 'one' }, BAD, { message: 'two' }]
    const answer = { accepted: 2, rejected: 1 }
    expect(await send(node, records)).toEqual(answer)
    expect(await send(node, records)).toEqual(answer)
    expect(await send(other, records)).toEqual(answer)
    await node.load()
    await other.load()
    expect(await send(await openNode(), records)).toEqual(answer)
    expect(await send(other, records)).toEqual(answer)
    await other.load()
    expect(stored).toEqual([2])
  })

  it('knows the same bytes in another content encoding', async () => {
    const node = await openNode()
    const records = [{ message: 'one' }]
    const answer = { accepted: 1, rejected: 0 }
    expect(await send(node, records)).toEqual(answer)
    expect(await send(node, records, { pack: gzipSync, headers: { 'content-encoding': 'gzip' } })).toEqual(answer)
    const br = { pack: brotliCompressSync, headers: { 'content-encoding': 'br' } }
    expect(await send(node, records, br)).toEqual(answer)
    expect(await send(node, [{ message: 'two' }], br)).toMatchObject(CHANGED)
    await node.load()
    expect(stored).toEqual([1])
  })

  it('judges an exact repeat by the clock of the first time', async () => {
    const node = await openNode()
    const records = [
      { message: 'now' },
      { message: 'ahead', timestamp: nowMs + DAY_MS + 1_000 },
      { message: 'old', timestamp: nowMs - 30 * DAY_MS },
    ]
    expect(await send(node, records)).toEqual({ accepted: 2, rejected: 1 })
    nowMs += HOUR_MS
    expect(await send(node, records)).toEqual({ accepted: 2, rejected: 1 })
    await node.load()
    expect(await send(await openNode(), records)).toEqual({ accepted: 2, rejected: 1 })
    await node.load()
    expect(stored).toEqual([2])
  })

  it('judges an exact repeat by the rules of the first time', async () => {
    const node = await openNode()
    const records = [
      { message: 'now' },
      { message: 'debug', level: 'debug', timestamp: nowMs - 5 * DAY_MS },
      { message: 'error', level: 'error', timestamp: nowMs - 40 * DAY_MS },
    ]
    const rule = async (retentionRules: RetentionRuleInput[]) => {
      const [project] = await control.projects.list()
      await control.projects.changeSettings(project!.id, { retentionRules }, { by: 'test', nowMs })
    }
    await rule([{ levels: ['error'], days: 90 }])
    expect(await send(node, records)).toEqual({ accepted: 3, rejected: 0 })
    await rule([{ levels: ['debug'], days: 3 }])
    expect(await send(node, records)).toEqual({ accepted: 3, rejected: 0 })
    await node.load()
    expect(await send(await openNode(), records)).toEqual({ accepted: 3, rejected: 0 })
    await node.load()
    expect(stored).toEqual([3])
    expect(await send(node, records, { id: 'c' })).toEqual({ accepted: 1, rejected: 2 })
  })

  it('is free again when none of the records was acceptable, or when they could not be stored', async () => {
    const node = await openNode()
    expect(await send(node, [BAD])).toEqual({ accepted: 0, rejected: 1 })
    isFull = true
    expect(await send(node, [{ message: 'no room' }])).toMatchObject({ code: 'storage_full' })
    isFull = false
    expect(await send(node, [{ message: 'one' }, { message: 'two' }])).toEqual({ accepted: 2, rejected: 0 })
    await node.load()
    expect(stored).toEqual([2])
  })

  it('is free again after a day', async () => {
    const node = await openNode()
    await send(node, [{ message: 'one' }])
    await node.load()
    nowMs += DAY_MS + 1
    expect(await send(node, [{ message: 'one' }, { message: 'two' }])).toEqual({ accepted: 2, rejected: 0 })
    await node.load()
    expect(stored).toEqual([1, 2])
  })
})

describe('two batches with one id at the same time', () => {
  const one = [{ message: 'one' }]
  const two = [{ message: 'one' }, { message: 'two' }]

  it('are one taken and one refused on one node', async () => {
    const node = await openNode()
    const answers = await Promise.all([send(node, one), send(node, two), send(node, one), send(node, two)])
    const accepted = answers.flatMap((answer) => ('accepted' in answer ? [answer.accepted] : []))
    expect(answers).toHaveLength(accepted.length + 2)
    expect(new Set(accepted).size).toBe(1)
    await node.load()
    expect(stored).toEqual([accepted[0]])
  })

  it('are both stored, once each, when two nodes took them', async () => {
    const [node, other] = [await openNode(), await openNode()]
    const bothTimes = async () => [await send(node, one), await send(other, two)]
    const answers = [
      { accepted: 1, rejected: 0 },
      { accepted: 2, rejected: 0 },
    ]
    expect(await bothTimes()).toEqual(answers)
    await node.load()
    await other.load()
    expect(await bothTimes()).toEqual(answers)
    expect([await send(await openNode(), one), await send(await openNode(), two)]).toEqual(answers)
    expect(await send(await openNode(), [...two, ...two])).toMatchObject(CHANGED)
    await node.load()
    await other.load()
    expect(stored).toEqual([1, 2])
  })
})

describe('a body that another sender sends again', () => {
  const loki = (line: string, digits = '123456') =>
    JSON.stringify({ streams: [{ stream: {}, values: [[`${nowMs}${digits}`, line]] }] })
  const bulk = (...ids: (string | undefined)[]) =>
    ids.map((_id) => `${JSON.stringify({ create: { _index: 'a', _id } })}\n{"message":"equal"}\n`).join('')
  const push = async (node: Node, sender: Sender, body: string, settings: object = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const caller = await node.accept.requireKey(headers)
    const limited = { ...caller, project: { ...caller.project, ...settings } }
    return (await node.accept.batch(limited, headers, Buffer.from(body), sender)).accepted
  }
  const SYSLOG: Sender = { protocol: 'syslog' }
  const LOKI: Sender = { protocol: 'loki' }
  const ELASTICSEARCH: Sender = { protocol: 'elasticsearch', index: '' }

  it.each<[string, Sender, () => string[], number[]]>([
    ['is stored twice where times are in milliseconds', LOKI, () => [loki('a', '000000'), loki('a', '000000')], [1, 1]],
    ['is stored once where entries have fine times', LOKI, () => [loki('one'), loki('one'), loki('two')], [1, 1]],
    ['is stored once where documents have ids', ELASTICSEARCH, () => [bulk('1', '2'), bulk('1', '2')], [2]],
    ['is stored twice where documents have none', ELASTICSEARCH, () => [bulk(undefined), bulk(undefined)], [1, 1]],
    ['is stored twice where one has none', ELASTICSEARCH, () => [bulk('1', undefined), bulk('1', undefined)], [2, 2]],
    [
      'is stored twice where entries have nothing',
      { protocol: 'datadog' },
      () => ['{"message":"x"}', '{"message":"x"}'],
      [1, 1],
    ],
  ])('%s', async (_, sender, bodies, frames) => {
    const node = await openNode()
    for (const body of bodies()) expect(await push(node, sender, body)).toBeGreaterThan(0)
    await node.load()
    expect(stored).toEqual(frames)
  })

  it('is another one at another index', async () => {
    const node = await openNode()
    const body = '{"create":{"_id":"1"}}\n{"message":"equal"}\n'
    for (const index of ['a', 'b', 'a']) expect(await push(node, { protocol: 'elasticsearch', index }, body)).toBe(1)
    await node.load()
    expect(stored).toEqual([1, 1])
  })

  it('is stored once where blank lines come before documents with ids', async () => {
    const node = await openNode()
    for (let time = 0; time < 2; time++) expect(await push(node, ELASTICSEARCH, `\r\n \n${bulk('1')}`)).toBe(1)
    await node.load()
    expect(stored).toEqual([1])
  })

  it('has a digest of its own in every protocol', async () => {
    const project = { defaultEnvironment: 'production', retentionDays: 30 }
    const redaction = { disabled: [], rules: [], fields: [] }
    const digestOf = async (contentType: string, sender?: Sender) => {
      const body = Buffer.from('[]\n')
      const read = {
        body,
        contentType,
        contentEncoding: '',
        receivedUs: nowMs * 1_000,
        projectId: 'p',
        project,
        redaction,
      }
      return (await pool.encode({ ...read, isNamed: true, sender })).digest
    }
    const bulkOf = async (index: string) => {
      const body = Buffer.from(bulk('1'))
      const read = {
        body,
        contentType: '',
        contentEncoding: '',
        receivedUs: nowMs * 1_000,
        projectId: 'p',
        project,
        redaction,
      }
      return (await pool.encode({ ...read, isNamed: true, sender: { protocol: 'elasticsearch', index } })).digest
    }
    expect(await digestOf('application/json', { protocol: 'datadog' })).not.toBe(await digestOf('application/json'))
    expect(await bulkOf('a')).not.toBe(await bulkOf('b'))
    expect(await bulkOf('a')).toBe(await bulkOf('a'))
  })

  it('pays for labels that were sent once and stored often', async () => {
    const node = await openNode()
    const values = Array.from({ length: 100 }, (_, at) => [`${nowMs}${100_000 + at}`, 'x'])
    const body = JSON.stringify({ streams: [{ stream: { a: 'x'.repeat(1_000) }, values }] })
    const settings = { maxBytesPerSecond: 10_000 }
    expect(await push(node, LOKI, body, settings)).toBe(100)
    nowMs += 5_000
    await expect(push(node, LOKI, loki('next'), settings)).rejects.toMatchObject({ code: 'rate_limited' })
    nowMs += 5_000
    expect(await push(node, LOKI, loki('next'), settings)).toBe(1)
  })

  it('pays for a request that was refused as too large, which was read all the same', async () => {
    const node = await openNode()
    const values = Array.from({ length: 50_001 }, () => [`${nowMs}000000`, 'x'])
    const settings = { maxBytesPerSecond: 10_000_000 }
    const body = JSON.stringify({ streams: [{ stream: {}, values }] })
    await expect(push(node, LOKI, body, settings)).rejects.toMatchObject({ code: 'body_too_large' })
    nowMs += 2_000
    await expect(push(node, LOKI, loki('next'), settings)).rejects.toMatchObject({ code: 'rate_limited' })
    nowMs += 2_000
    expect(await push(node, LOKI, loki('next'), settings)).toBe(1)
  })

  it('of syslog pays for small messages as for larger ones', async () => {
    const node = await openNode()
    const small = (count: number) => framed(Array.from({ length: count }, () => Buffer.from('a'))).toString('latin1')
    const settings = { maxBytesPerSecond: 10_000 }
    expect(await push(node, SYSLOG, small(1_000), settings)).toBe(1_000)
    // 128,000 bytes, of which the bucket held 20,000.
    nowMs += 10_700
    await expect(push(node, SYSLOG, small(1), settings)).rejects.toMatchObject({ code: 'rate_limited' })
    nowMs += 200
    expect(await push(node, SYSLOG, small(1), settings)).toBe(1)
  })

  it('is known on another node', async () => {
    const [one, other] = [await openNode(), await openNode()]
    expect(await push(one, LOKI, loki('one'))).toBe(1)
    await one.load()
    expect(await push(other, LOKI, loki('one'))).toBe(1)
    await other.load()
    expect(stored.reduce((sum, records) => sum + records, 0)).toBe(1)
  })
})

describe('bytes that came into no batch', () => {
  const holder = async ({ accept }: Node, maxBytesPerSecond: number) => {
    const caller = await accept.holderOf({ secret: key })
    return { ...caller, project: { ...caller.project, maxBytesPerSecond } }
  }

  it('count in the rate of their key', async () => {
    const node = await openNode()
    const caller = await holder(node, 10_000)
    for (let count = 0; count < 3; count++) {
      node.accept.checkDebt(caller)
      node.accept.owe(caller, 9_000)
    }
    expect(() => node.accept.checkDebt(caller)).toThrow(/more than its rate allows/)
    nowMs += 700
    node.accept.checkDebt(caller)
  })

  it('that are discarded have a rate of their own', async () => {
    const node = await openNode()
    const caller = await holder(node, 10_000)
    for (let count = 0; count < 2; count++) node.accept.discard(caller, 9_000)
    expect(() => node.accept.discard(caller, 9_000)).toThrow(/more than its rate allows/)
    node.accept.checkDebt(caller)
  })

  it('count as no more than a second of it, so that a slow key comes to the end of a large field', async () => {
    const node = await openNode()
    const caller = await holder(node, 1_000)
    for (let count = 0; count < 3; count++) node.accept.owe(caller, 1_000_000)
    expect(() => node.accept.checkDebt(caller)).toThrow(/more than its rate allows/)
    nowMs += 1_000
    node.accept.checkDebt(caller)
  })
})

describe('a bug in reading a batch', () => {
  it('is told from trouble with the disk, and says nothing of the inside', async () => {
    const node = await openNode()
    pool.encode = async () => {
      throw new TypeError('x is undefined')
    }
    const answer = await send(node, [{ message: 'one' }])
    expect(answer).toMatchObject({ status: 500, code: 'internal' })
    expect(answer.message).not.toContain('undefined')
  })
})

describe('a request with two keys', () => {
  const newKey = async (name: string, kind: 'ingest' | 'read' = 'ingest') => {
    const change = { by: 'test', nowMs }
    const project = (await control.projects.list()).find((one) => one.name === name)
    const { id } = project ?? (await control.projects.create({ name, retentionDays: 30 }, change))
    return (await control.keys.create({ projectId: id, kind, name, expiresAtMs: null }, change)).secret
  }
  const REFUSED = { status: 400, code: 'invalid_request', message: expect.stringContaining('Remove `projectApiKey`') }

  it.each<[string, (key: string) => unknown]>([
    ['a list after the key', (projectApiKey) => ({ projectApiKey, logs: [{ message: 'a' }] })],
    ['a list before the key', (projectApiKey) => ({ logs: [{ message: 'a' }], projectApiKey })],
    ['one record', (projectApiKey) => ({ projectApiKey, message: 'a' })],
    ['a large list', (projectApiKey) => ({ projectApiKey, logs: [{ message: 'a'.repeat(10_000) }] })],
  ])('is refused when the body names another project in %s, and nothing is stored', async (_, bodyOf) => {
    const node = await openNode()
    const revoked = await newKey('shop')
    const { key: found } = (await control.keys.authenticate(revoked)) as { key: { id: string } }
    await control.keys.revoke(found.id, { by: 'test', nowMs })
    for (const other of [await newKey('other'), revoked, 'unknown']) {
      expect(await send(node, bodyOf(other))).toEqual(REFUSED)
    }
    await node.load()
    expect(stored).toEqual([])
    expect(await send(node, bodyOf(key))).toEqual({ accepted: 1, rejected: 0 })
    expect(await send(node, bodyOf(await newKey('shop')), { id: 'c' })).toEqual({ accepted: 1, rejected: 0 })
  })

  it('is refused when two headers name two projects, but a proxy may add credentials', async () => {
    const node = await openNode()
    const other = { authorization: `Bearer ${await newKey('other')}` }
    await expect(node.accept.requireKey({ 'x-api-key': key, ...other })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Send one header with a key'),
    })
    await expect(node.accept.authenticate({ 'x-api-key': key, ...other })).rejects.toThrow('Send one header with a key')
    const proxy = { authorization: `Basic ${btoa('ada:secret')}` }
    expect(await send(node, [{ message: 'a' }], { headers: proxy })).toEqual({ accepted: 1, rejected: 0 })
    const same = { authorization: `Bearer ${key}`, 'dd-api-key': await newKey('shop', 'read') }
    expect(await send(node, [{ message: 'a' }], { id: 'c', headers: same })).toEqual({ accepted: 1, rejected: 0 })
  })
})

describe('what came with a key', () => {
  it('is counted by the key: what was stored, and what was refused by its reason', async () => {
    const node = await openNode()
    await send(node, [{ message: 'one' }, BAD, { message: 'two' }], { id: 'a' })
    await send(node, 'no records', { id: 'b' })
    await send(node, [{ message: 'other' }], { id: 'a' })
    isFull = true
    await send(node, [{ message: 'no room' }], { id: 'c' })
    const caller = await node.accept.holderOf({ secret: key })
    node.accept.noteTooLarge(caller)
    node.accept.noteTooLarge(undefined)
    const found = await control.ingestCounts.list(caller.project.id, nowMs)
    expect(found.every(({ keyId }) => keyId === caller.keyId)).toBe(true)
    expect(Object.fromEntries(found.map(({ outcome, lastDay }) => [outcome, lastDay]))).toEqual({
      ...{ stored: 2, records: 1, malformed: 2, not_stored: 1, too_large: 1 },
    })
  })

  it('is told apart where it was too much of it', async () => {
    const node = await openNode()
    const [project] = await control.projects.list()
    await control.projects.changeSettings(project!.id, { monthlyQuotaRecords: 1 }, { by: 'test', nowMs })
    await send(node, [{ message: 'one' }], { id: 'a' })
    await send(node, [{ message: 'two' }], { id: 'b' })
    const limits = { monthlyQuotaRecords: null, maxRequestsPerSecond: 1 }
    await control.projects.changeSettings(project!.id, limits, { by: 'test', nowMs })
    for (const id of ['c', 'd', 'e']) await send(node, [{ message: id }], { id })
    const found = await control.ingestCounts.list(project!.id, nowMs)
    const amounts = Object.fromEntries(found.map(({ outcome, lastDay }) => [outcome, lastDay]))
    expect(amounts.over_quota).toBe(1)
    expect(amounts.over_rate).toBeGreaterThan(0)
  })
})
