import { afterEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../client.ts'
import type { Drop, Tidemark, TidemarkOptions, TidemarkProblem } from '../index.ts'
import { nodePlatform } from '../node/platform.ts'
import { patientPlatform } from '../testing/patient-platform.ts'
import { type Peer, type Received, type Reply, startPeer } from '../testing/peer.ts'

const open: { client?: Tidemark; peer: Peer }[] = []
afterEach(async () => {
  for (const { client, peer } of open.splice(0)) {
    await client?.close({ timeoutMs: 0 })
    await peer.stop()
  }
})

async function setUp(
  answer: (received: Received, count: number) => Reply | Promise<Reply> = () => ({}),
  options: Partial<TidemarkOptions> = {},
  { platform, clock } = patientPlatform(),
) {
  const peer = await startPeer(answer, clock.now)
  const problems: TidemarkProblem[] = []
  const drops: Drop[] = []
  const client = createClient(
    {
      ingestKey: 'tidemark_ingest_test',
      url: peer.url,
      onError: (problem) => problems.push(problem),
      onDrop: (drop) => drops.push(drop),
      ...options,
    },
    platform,
  )
  open.push({ client, peer })
  return { peer, client, clock, problems, drops }
}

const messagesOf = (records: { message: string }[]) => records.map(({ message }) => message)
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `record ${at}`)

describe('records', () => {
  it('arrive in their order, compressed, with key and batch id', async () => {
    const { peer, client } = await setUp()
    for (const message of numbered(2_000)) client.info(message)
    expect(await client.flush()).toEqual({ ok: true, delivered: 2_000, lost: 0, pending: 0 })
    expect(messagesOf(peer.stored())).toEqual(numbered(2_000))
    const times = peer.stored().map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(peer.received[0]?.headers).toMatchObject({
      authorization: 'Bearer tidemark_ingest_test',
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
      'x-batch-id': expect.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/),
    })
  })

  it('leave by themselves after the interval, and at once when the batch is large', async () => {
    const byTheRealClock = { ...patientPlatform(), platform: nodePlatform() }
    const { peer, client } = await setUp(undefined, { flushIntervalMs: 50, maxBatchRecords: 10 }, byTheRealClock)
    for (const message of numbered(25)) client.info(message)
    await vi.waitFor(() => expect(peer.stored()).toHaveLength(25), 10_000)
    expect(peer.received.map(({ records }) => records.length).sort()).toEqual([10, 10, 5])
    client.info('later')
    const delivered = { sent: 26, queued: 0, queuedBytes: 0, dropped: 0 }
    await vi.waitFor(() => expect(client.stats()).toMatchObject(delivered), 10_000)
    expect(peer.stored()).toHaveLength(26)
  })
})

describe('a batch', () => {
  it('never has more bytes than it may, unless one record has more by itself', async () => {
    const maxBatchBytes = 2_000
    const { peer, client } = await setUp(undefined, { maxBatchBytes })
    const messages = [400, 400, 400, 9_000, 10, 400, 1_400, 1_400, 10].map(
      (length, at) => `${at}${'é'.repeat(length / 2)}`,
    )
    for (const message of messages) client.info(message)
    expect(await client.flush()).toMatchObject({ ok: true, delivered: messages.length })
    const numberOf = ({ batchId }: Received) => Number(batchId.split('-')[1])
    const batches = peer.received.sort((one, other) => numberOf(one) - numberOf(other)).map(({ records }) => records)
    expect(messagesOf(batches.flat())).toEqual(messages)
    const bytesOf = (records: unknown[]) =>
      Buffer.byteLength(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const tooLarge = batches.filter((records) => bytesOf(records) > maxBatchBytes)
    expect(tooLarge.map(messagesOf)).toEqual([[messages[3]]])
    expect(batches.length).toBeLessThan(messages.length)
  })
})

describe('trouble that passes', () => {
  it.each([408, 429, 502, 503, 504])('a %i is tried again with the same batch id', async (status) => {
    const { peer, client } = await setUp((_, count) => (count === 1 ? { status } : {}))
    client.info('once')
    expect(await client.flush()).toMatchObject({ ok: true, delivered: 1 })
    expect(peer.received).toHaveLength(2)
    expect(new Set(peer.received.map(({ batchId }) => batchId)).size).toBe(1)
    expect(client.stats().retries).toBe(1)
  })

  it('a batch id that a copy of this process used is changed, once, and nothing is lost', async () => {
    const body = { error: { code: 'batch_changed', message: 'other bytes' } }
    const { peer, client, problems } = await setUp((_, count) => (count === 1 ? { status: 409, body } : {}))
    client.info('first')
    expect(await client.flush()).toEqual({ ok: true, delivered: 1, lost: 0, pending: 0 })
    client.info('second')
    expect(await client.flush()).toMatchObject({ ok: true })
    expect(messagesOf(peer.stored())).toEqual(['first', 'second'])
    const senders = peer.received.map(({ batchId }) => batchId.split('-')[0])
    expect(senders[0]).not.toBe(senders[1])
    expect(senders[1]).toBe(senders[2])
    expect(problems).toEqual([])
  })

  it('a batch id that is refused although it is fresh is reported', async () => {
    const body = { error: { code: 'batch_changed', message: 'other bytes' } }
    const { peer, client, problems } = await setUp(() => ({ status: 409, body }))
    client.info('once')
    expect(await client.flush()).toMatchObject({ ok: false, lost: 1 })
    expect(peer.received).toHaveLength(2)
    expect(problems).toMatchObject([{ code: 'not_accepted', message: expect.stringContaining('other bytes') }])
  })

  it('a broken connection is tried again with the same batch id', async () => {
    const { peer, client, problems } = await setUp((_, count) => (count <= 2 ? 'hang up' : {}))
    client.info('once')
    expect(await client.flush()).toMatchObject({ ok: true })
    expect(new Set(peer.received.map(({ batchId }) => batchId)).size).toBe(1)
    expect(messagesOf(peer.stored())).toEqual(['once'])
    expect(problems).toEqual([])
  })

  it('the time that the service names is waited for, also by a flush', async () => {
    const { peer, client, clock } = await setUp((_, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '3' } } : {},
    )
    clock.halt()
    client.info('first')
    const flushed = client.flush()
    await vi.waitFor(() => expect([peer.received.length, clock.underWay()]).toEqual([1, 0]), 10_000)
    // Long enough that a flush would cut our own back-off short.
    clock.pass(1_200)
    client.info('second')
    const flushedAgain = client.flush()
    clock.go()
    await flushedAgain
    await flushed
    expect(peer.received[1]!.atMs - peer.received[0]!.atMs).toBeGreaterThanOrEqual(2_950)
    expect(messagesOf(peer.stored())).toEqual(['first', 'second'])
  })

  it('is reported once, with what happens meanwhile', async () => {
    const { peer, client, problems } = await setUp()
    await peer.stop()
    client.info('waits')
    expect(await client.flush({ timeoutMs: 4_000 })).toEqual({ ok: false, delivered: 0, lost: 0, pending: 1 })
    expect(problems).toEqual([
      {
        code: 'unreachable',
        message: `${peer.url}/v1/logs cannot be reached (ECONNREFUSED). Records wait in memory, at most 16,777,216 bytes, and are tried again.`,
      },
    ])
    await peer.start()
    expect(await client.flush()).toMatchObject({ ok: true, delivered: 1 })
  })

  it('an answer that never comes is given up after the time-out and asked for again', async () => {
    const { peer, client } = await setUp((_, count) => (count === 1 ? { delayMs: 60_000 } : {}), {
      requestTimeoutMs: 200,
    })
    client.info('once')
    expect(await client.flush()).toMatchObject({ ok: true })
    expect(peer.received.length).toBeGreaterThan(1)
    expect(new Set(peer.received.map(({ batchId }) => batchId)).size).toBe(1)
    expect(messagesOf(peer.stored())).toEqual(['once'])
  })
})

describe('an answer that is not the service’s', () => {
  it.each([['<html>Sign in</html>'], [{}], [{ ok: true }]])('is no acknowledgement: %j', async (body) => {
    const { peer, client, problems } = await setUp((_, count) => (count <= 3 ? { body } : {}))
    client.info('kept')
    expect(await client.flush()).toMatchObject({ ok: true, delivered: 1 })
    expect(new Set(peer.received.map(({ batchId }) => batchId)).size).toBe(1)
    expect(peer.received).toHaveLength(4)
    expect(problems.map(({ code }) => code)).toEqual(['unreachable'])
    expect(problems[0]?.message).toContain(
      'answered 200, but not as a Tidemark service does: check url (TIDEMARK_URL). Records wait in memory',
    )
  })
})

describe('requests that are on their way together', () => {
  it('and fail together count as one failure, and leave the time that the service named', async () => {
    const { peer, client, clock, problems } = await setUp(
      async (_, count) => {
        if (count === 1) return { status: 429, headers: { 'retry-after': '2' } }
        if (count > 3) return {}
        await vi.waitFor(() => expect(clock.underWay()).toBeLessThan(3), 10_000)
        return { status: 503 }
      },
      { maxBatchRecords: 1 },
    )
    for (const message of numbered(3)) client.info(message)
    expect(await client.flush()).toMatchObject({ ok: true, delivered: 3 })
    expect(problems).toEqual([])
    expect(peer.received[3]!.atMs - peer.received[0]!.atMs).toBeGreaterThanOrEqual(1_950)
  })
})

describe('trouble that stays', () => {
  it.each([
    [400, 'batch_refused', 'First reason: too old'],
    [401, 'key_refused', 'Check ingestKey (TIDEMARK_INGEST_KEY): it is unknown, revoked or expired.'],
    [403, 'key_refused', 'Check ingestKey (TIDEMARK_INGEST_KEY): sending needs an ingest key.'],
    [404, 'not_accepted', 'Check url (TIDEMARK_URL): it must be the address of a Tidemark service.'],
    [500, 'not_accepted', 'answered 500'],
  ])('a %i loses the batch and is reported once with its cure', async (status, code, words) => {
    const body = { error: { message: 'No.' }, accepted: 0, rejected: [{ index: 0, reason: 'too old' }] }
    const { peer, client, problems, drops } = await setUp(() => ({ status, body }))
    for (const message of numbered(3)) client.info(message)
    expect(await client.flush()).toEqual({ ok: false, delivered: 0, lost: 3, pending: 0 })
    client.info('again')
    await client.flush()
    expect(peer.received).toHaveLength(2)
    expect(problems.map((problem) => problem.code)).toEqual([code])
    expect(problems[0]?.message).toContain(words)
    expect(drops).toEqual([
      { reason: 'refused', records: 3 },
      { reason: 'refused', records: 1 },
    ])
  })

  it('a redirect is not followed, and the problem says where it leads', async () => {
    const headers = { location: 'https://logs.example.com/v1/logs' }
    const { client, problems } = await setUp(() => ({ status: 301, headers }))
    client.info('x')
    await client.flush()
    expect(problems[0]?.message).toContain(
      'Set url (TIDEMARK_URL) to where it leads: https://logs.example.com/v1/logs.',
    )
  })

  it('records that the service rejected are counted as lost, the others as delivered', async () => {
    const { client, problems } = await setUp(() => ({
      body: { accepted: 1, rejected: [{ index: 1, reason: 'The time is too old.' }] },
    }))
    client.info('good')
    client.info('bad')
    expect(await client.flush()).toEqual({ ok: false, delivered: 1, lost: 1, pending: 0 })
    expect(problems[0]).toMatchObject({
      code: 'records_rejected',
      message: 'The service rejected 1 of 2 records. First reason: The time is too old.',
    })
  })
})

describe('records that are rejected for hours', () => {
  it('are reported again after an hour, although others are accepted in between', async () => {
    const { client, clock, problems } = await setUp(({ records }) => ({
      body: { accepted: 0, rejected: records.filter(({ message }) => message === 'bad') },
    }))
    const log = async (message: string) => {
      client.info(message)
      await client.flush()
    }
    for (const message of ['bad', 'good', 'bad']) await log(message)
    expect(problems.map(({ code }) => code)).toEqual(['records_rejected'])
    clock.pass(3_600_000)
    for (const message of ['bad', 'good', 'bad']) await log(message)
    expect(problems.map(({ code }) => code)).toEqual(['records_rejected', 'records_rejected'])
  })
})

describe('a batch that is too large', () => {
  it('is halved until it is taken, and a flush waits for all of it', async () => {
    const { peer, client, problems } = await setUp(({ records }) => ({ status: records.length > 3 ? 413 : 200 }))
    for (const message of numbered(20)) client.info(message)
    expect(await client.flush()).toEqual({ ok: true, delivered: 20, lost: 0, pending: 0 })
    expect(messagesOf(peer.stored()).sort()).toEqual(numbered(20).sort())
    expect(problems).toEqual([])
  })

  it('loses only the record that is too large by itself', async () => {
    const { peer, client, problems } = await setUp(({ records }) => ({
      status: records.some(({ message }) => message === 'huge') ? 413 : 200,
    }))
    for (const message of ['a', 'b', 'huge', 'c', 'd']) client.info(message)
    expect(await client.flush()).toEqual({ ok: false, delivered: 4, lost: 1, pending: 0 })
    expect(new Set(messagesOf(peer.stored()))).toEqual(new Set(['a', 'b', 'c', 'd']))
    expect(problems.map(({ code }) => code)).toEqual(['record_too_large'])
  })
})

describe('a full buffer', () => {
  it('never passes its bound, counts what it drops, keeps room for errors, and says so in a record', async () => {
    const maxBufferBytes = 64 * 1024
    const { peer, client, problems, drops } = await setUp(undefined, { maxBufferBytes, attributes: { region: 'eu' } })
    await peer.stop()
    for (let at = 0; at < 5_000; at++) {
      client.info(`record ${at}`)
      if (client.stats().queuedBytes > maxBufferBytes) throw new Error('The bound does not hold.')
    }
    const { queued, dropped } = client.stats()
    expect(queued + dropped).toBe(5_000)
    expect(dropped).toBeGreaterThan(4_000)
    client.error('worth keeping')
    expect(client.stats().dropped).toBe(dropped)
    expect(problems.map(({ code }) => code)).toEqual(['buffer_full'])
    await peer.start()
    expect(await client.flush()).toMatchObject({ ok: false, delivered: queued + 1, lost: dropped, pending: 0 })
    await client.flush()
    expect(drops).toEqual([{ reason: 'buffer_full', records: dropped }])
    const stored = peer.stored()
    expect(messagesOf(stored.slice(0, queued))).toEqual(numbered(queued))
    expect(messagesOf(stored)).toContain('worth keeping')
    expect(stored.filter(({ logger }) => logger === '@tidemark/sdk')).toMatchObject([
      {
        level: 'warn',
        message: `${dropped} records were lost before they could be sent`,
        attributes: { region: 'eu', dropped, droppedBy: { buffer_full: dropped } },
      },
    ])
  })
})

describe('a record that does not fit into what is left', () => {
  it('is dropped although there is some room', async () => {
    const maxBufferBytes = 64 * 1024
    const { peer, client } = await setUp(undefined, { maxBufferBytes })
    await peer.stop()
    for (let at = 0; at < 4; at++) client.info('é'.repeat(10_000))
    expect(client.stats()).toMatchObject({ queued: 2, droppedBy: { buffer_full: 2 } })
    client.info('small')
    expect(client.stats().queued).toBe(3)
    expect(client.stats().queuedBytes).toBeLessThanOrEqual(maxBufferBytes)
  })
})

describe('close', () => {
  it('sends what waits, and later records are counted and said', async () => {
    const { peer, client, problems } = await setUp()
    client.info('before')
    expect(await client.close()).toMatchObject({ ok: true, delivered: 1 })
    client.info('after')
    client.info('after')
    expect(messagesOf(peer.stored())).toEqual(['before'])
    expect(client.stats()).toMatchObject({ queued: 0, droppedBy: { closed: 2 } })
    expect(problems.map(({ code }) => code)).toEqual(['closed'])
  })

  it('still says what the service rejected last', async () => {
    const body = { accepted: 0, rejected: [{ index: 0, reason: 'old' }] }
    const { peer, client } = await setUp((_, count) => (count === 1 ? { body } : {}))
    client.info('rejected')
    expect(await client.close()).toMatchObject({ ok: false, lost: 1 })
    expect(messagesOf(peer.stored())).toEqual(['rejected', '1 record was lost before it could be sent'])
    expect(client.stats()).toMatchObject({ sent: 1, droppedBy: { rejected: 1 } })
  })

  it('gives up what cannot be sent in time and counts it', async () => {
    const { peer, client, drops } = await setUp()
    await peer.stop()
    client.info('lost')
    expect(await client.close({ timeoutMs: 300 })).toMatchObject({ ok: false, pending: 1 })
    expect(client.stats()).toMatchObject({ queued: 0, queuedBytes: 0, droppedBy: { closed: 1 } })
    expect(drops).toEqual([{ reason: 'closed', records: 1 }])
  })
})

describe('hooks of the application that throw', () => {
  it('do not reach it, and a record that beforeSend failed on is not sent', async () => {
    const fail = () => {
      throw new Error('mine')
    }
    const { peer, client } = await setUp(undefined, { onError: fail, onDrop: fail, beforeSend: fail })
    client.info('secret')
    expect(await client.flush()).toMatchObject({ ok: false, lost: 1 })
    expect(messagesOf(peer.stored())).toEqual(['1 record was lost before it could be sent'])
  })

  it('beforeSend changes records and leaves them out', async () => {
    const { peer, client } = await setUp(undefined, {
      beforeSend: (record) =>
        record.message === 'no' ? null : { ...record, attributes: { ...record.attributes, seen: true } },
    })
    client.info('yes', { a: 1 })
    client.info('no')
    expect(await client.flush()).toMatchObject({ ok: true, delivered: 1 })
    expect(peer.stored()).toMatchObject([{ message: 'yes', attributes: { a: 1, seen: true } }])
  })
})
