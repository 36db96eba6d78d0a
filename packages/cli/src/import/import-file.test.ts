import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { hurriedClock } from '../testing/hurried-clock.ts'
import { listen, type Received, reply } from '../testing/listen.ts'
import { type ImportJob, importFile } from './import-file.ts'
import { ProgressFile } from './progress-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** Stores like the service: a batch once, records with `bad` never. `fail` may answer first. */
async function store(fail: (received: Received, count: number) => [number, unknown] | undefined = () => undefined) {
  const stored = new Map<string, string[]>()
  const { url, received } = await listen((one, response) => {
    const failure = fail(one, received.length)
    if (failure) return reply(response, failure[0], failure[1], { 'Retry-After': '0' })
    const lines = one.body.trimEnd().split('\n')
    const rejected = lines.flatMap((line, index) =>
      line.includes('bad') ? [{ index, reason: `"${index}" is bad` }] : [],
    )
    const id = String(one.headers['x-batch-id'])
    if (!stored.has(id))
      stored.set(
        id,
        lines.filter((line) => !line.includes('bad')),
      )
    const accepted = lines.length - rejected.length
    const error = { code: 'invalid_request', message: 'None.' }
    reply(response, accepted === 0 ? 400 : 200, { ...(accepted === 0 && { error }), accepted, rejected })
  })
  const messages = () => [...stored.values()].flat().map((line) => JSON.parse(line).message as string)
  return { url, received, messages }
}

function job(url: string, path: string, more: Partial<ImportJob> = {}): ImportJob {
  return {
    path,
    connection: { url, key: 'tidemark_ingest_x' },
    format: 'auto',
    defaults: {},
    progressFile: new ProgressFile(join(folder, 'state', 'progress.json')),
    isResumed: false,
    send: { ...hurriedClock(), patienceMs: 20_000 },
    ...more,
  }
}

function write(name: string, count: number): { path: string; names: string[] } {
  const path = join(folder, name)
  const names = Array.from({ length: count }, (_, index) => `m${index}`)
  writeFileSync(path, names.map((message) => `${JSON.stringify({ message })}\n`).join(''))
  return { path, names }
}

/** One of the first two batches of 5,000 that `write` makes: several are on their way at once and may arrive in any order. */
const isEarly = (body: string) => /^\{"message":"m(?:0|5000)"\}/.test(body)

const sorted = (names: string[]) => [...names].sort()

describe('an import', () => {
  it('stores every record, in batches with ids of the content', async () => {
    const { url, received, messages } = await store()
    const { path, names } = write('a.ndjson', 12_345)
    const first = await importFile(job(url, path))
    expect(first).toMatchObject({ accepted: 12_345, rejected: 0, complete: true, format: 'ndjson' })
    expect(sorted(messages())).toEqual(sorted(names))
    expect(received[0]?.headers).toMatchObject({
      authorization: 'Bearer tidemark_ingest_x',
      'x-batch-id': expect.stringMatching(/^import-[0-9a-f]{40}$/),
    })
    await importFile(job(url, path))
    expect(messages()).toHaveLength(12_345)
    const ids = received.map(({ headers }) => headers['x-batch-id'])
    expect(new Set(ids).size).toBe(ids.length / 2)
  })

  it('says how it reads a file, and what the first record becomes, before it sends any', async () => {
    const { url, received } = await store()
    const { path } = write('a.ndjson', 3)
    const told: unknown[] = []
    await importFile(job(url, path, { onStart: (_, ...start) => told.push(start, received.length) }))
    expect(told).toEqual([['ndjson', expect.objectContaining({ line: 1, json: '{"message":"m0"}' })], 0])
    writeFileSync(path, '')
    await importFile(job(url, path, { onStart: (_, ...start) => told.push(start) }))
    expect(told[2]).toEqual(['text', undefined])
  })

  it('gives equal lines in other places other ids, and the same place with other defaults too', async () => {
    const { url, messages } = await store()
    const path = join(folder, 'same.ndjson')
    writeFileSync(path, '{"message":"x"}\n'.repeat(10_001))
    await importFile(job(url, path))
    expect(messages()).toHaveLength(10_001)
    await importFile(job(url, path, { defaults: { service: 'other' } }))
    expect(messages()).toHaveLength(20_002)
  })

  it('goes on where it stopped, and stores nothing twice', async () => {
    let isRevoked = true
    const { url, messages } = await store(({ body }) =>
      isRevoked && !isEarly(body) ? [401, { error: { code: 'unauthorized', message: 'Revoked.' } }] : undefined,
    )
    const { path, names } = write('a.ndjson', 30_000)
    const broken = await importFile(job(url, path))
    expect(broken).toMatchObject({ complete: false, error: { code: 'unauthorized' } })
    expect(broken.accepted).toBe(10_000)
    isRevoked = false
    const resumed = await importFile(job(url, path, { isResumed: true }))
    expect(resumed).toMatchObject({ complete: true, accepted: 20_000, resumedRecords: 10_000 })
    expect(sorted(messages())).toEqual(sorted(names))
    expect(existsSync(join(folder, 'state', 'progress.json'))).toBe(false)
  })

  it('refuses to go on in a file that is not the same any more', async () => {
    const { url } = await store(({ body }) => (isEarly(body) ? undefined : [403, {}]))
    const { path } = write('a.ndjson', 20_000)
    await importFile(job(url, path))
    writeFileSync(path, `{"message":"other"}\n`)
    appendFileSync(path, '{"message":"x"}\n'.repeat(20_000))
    const resumed = await importFile(job(url, path, { isResumed: true }))
    expect(resumed).toMatchObject({ complete: false, accepted: 0, error: { code: 'conflict' } })
    expect(resumed.error?.message).toContain('is not the file it was')
  })

  it('counts what was not stored and says why and where first', async () => {
    const { url, messages } = await store()
    const path = join(folder, 'a.ndjson')
    writeFileSync(path, '{"message":"a"}\nnonsense\n{"message":"bad"}\n{"message":"b"}\n{"message":"bad"}\n')
    const imported = await importFile(job(url, path, { format: 'ndjson' }))
    expect(imported).toMatchObject({
      accepted: 2,
      rejected: 3,
      complete: true,
      reasons: [
        { reason: '"1" is bad', count: 2, line: 3 },
        { reason: 'The line is not valid JSON.', count: 1, line: 2 },
      ],
    })
    expect(messages()).toEqual(['a', 'b'])
  })

  it('isolates the record that makes a whole request unacceptable', async () => {
    const { url, messages } = await store(({ body }) =>
      body.includes('poison') ? [400, { error: { code: 'invalid_request', message: 'Nested too deep.' } }] : undefined,
    )
    const path = join(folder, 'a.ndjson')
    writeFileSync(path, ['a', 'b', 'poison', 'c', 'd', 'e'].map((message) => `{"message":"${message}"}\n`).join(''))
    const imported = await importFile(job(url, path))
    expect(imported).toMatchObject({ accepted: 5, rejected: 1, reasons: [{ reason: 'Nested too deep.', line: 3 }] })
    expect(sorted(messages())).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('waits for a service that is away or busy, and ends with where to go on when it stays away', async () => {
    const { url, messages } = await store((_, count) => (count <= 2 ? [count === 1 ? 503 : 429, {}] : undefined))
    const { path } = write('a.ndjson', 10)
    expect(await importFile(job(url, path))).toMatchObject({ accepted: 10, complete: true })
    expect(messages()).toHaveLength(10)
    const away = await store(() => [503, { error: { code: 'spool_full', message: 'Full.' } }])
    expect(await importFile(job(away.url, path, { send: { ...hurriedClock(), patienceMs: 600 } }))).toMatchObject({
      complete: false,
      error: { code: 'spool_full' },
    })
  })

  it('puts records of many days into several requests', async () => {
    const { url, received } = await store()
    const path = join(folder, 'days.ndjson')
    const days = Array.from({ length: 20 }, (_, day) => `{"message":"x","time":"2026-10-${10 + day}T00:00:00Z"}\n`)
    writeFileSync(path, days.join(''))
    await importFile(job(url, path))
    for (const { body } of received) expect(new Set(body.match(/2026-10-\d\d/g)).size).toBeLessThanOrEqual(4)
    expect(received).toHaveLength(5)
  })

  it('stops when asked and keeps what was done', async () => {
    const { url } = await store()
    const { path } = write('a.ndjson', 30_000)
    const stop = new AbortController()
    const imported = await importFile(job(url, path, { stop: stop.signal, onProgress: () => stop.abort() }))
    expect(imported.complete).toBe(false)
    const rest = await importFile(job(url, path, { isResumed: true }))
    expect(imported.accepted + rest.accepted).toBe(30_000)
  })
})
