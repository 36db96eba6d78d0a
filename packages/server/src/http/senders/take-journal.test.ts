import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppError, type ErrorCode } from '../../errors.ts'
import type { AcceptedBatch } from '../../ingest/door/accept.ts'
import { JOURNAL_UPLOAD_LIMITS } from '../../ingest/limits.ts'
import { unframed } from '../../ingest/senders/framed.ts'
import { createLog } from '../../log.ts'
import { silentServer } from '../../testing/http-server.ts'
import { converse } from '../../testing/raw-http.ts'
import { readCaller } from '../../testing/reading-rows.ts'
import { JournalSlots } from './journal-slots.ts'
import { journaldRoutes } from './journald-routes.ts'
import { JOURNAL_PACE, takeJournal } from './take-journal.ts'

const journalOf = (entries: number) =>
  Array.from({ length: entries }, (_, at) => `__CURSOR=i=${at}\nMESSAGE=entry ${at}\n\n`).join('')

/** Takes what it is given, unless `refuse` says otherwise. */
function fakeAccept(refuse: (entries: string[]) => ErrorCode | undefined = () => undefined) {
  const batches: string[][] = []
  const owed: number[] = []
  let isRevoked = false
  let debts = 0
  return {
    batches,
    owed,
    owe: (_caller: unknown, bytes: number) => void owed.push(bytes),
    /** The next questions about a debt are answered with one. */
    indebt: (times: number) => {
      debts = times
    },
    discard: () => {},
    noteTooLarge: () => {},
    checkDebt: () => {
      if (debts-- > 0) throw new AppError('rate_limited', 'It is rate_limited.', { retryAfterSeconds: 0.001 })
    },
    revoke: () => {
      isRevoked = true
    },
    stats: { batches: 0, records: 0, rejected: 0, bytes: 0 },
    authenticate: async () => undefined,
    holderOf: async () => readCaller(),
    requireKey: async ({ authorization }: Record<string, string | string[] | undefined>) => {
      if (isRevoked || authorization !== 'Basic Omdvb2Q=') throw new AppError('unauthorized', 'This needs a valid key.')
      return readCaller()
    },
    batch: async (_caller: unknown, _headers: unknown, body: Buffer): Promise<AcceptedBatch> => {
      const entries = [...unframed(body)].map((entry) => entry.toString().match(/entry (\d+)/)?.[1] ?? '')
      // As the real one does, which gives them to a thread.
      if (body.length === body.buffer.byteLength)
        structuredClone(body.buffer, { transfer: [body.buffer as ArrayBuffer] })
      const code = refuse(entries)
      if (code !== undefined) throw new AppError(code, `It is ${code}.`, { retryAfterSeconds: 0.001 })
      batches.push(entries)
      return { protocol: 'sender', total: entries.length, accepted: entries.length, rejected: [] }
    },
  }
}

const headers = { authorization: 'Basic Omdvb2Q=' }
const NEVER = 1e9
const pace = { ...JOURNAL_PACE, batchEntries: 3, entriesPerEnd: NEVER, waitMs: 50, retryMs: 1 }
const parts = {
  headers,
  pace,
  caller: readCaller(),
  slot: { hold: () => {} },
  stopping: new AbortController().signal,
  failed: () => {},
  now: () => performance.now(),
}
const bodyOf = (text: string) => Readable.from([Buffer.from(text)])
const sizes = (batches: string[][]) => batches.map(({ length }) => length)

describe('a journal that is uploaded', () => {
  it('is stored in batches that its bytes alone decide', async () => {
    const text = Buffer.from(journalOf(8))
    for (const size of [1, 10, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.subarray(at * size, (at + 1) * size),
      )
      const accept = fakeAccept()
      expect(await takeJournal(Readable.from(pieces), { ...parts, accept })).toEqual({
        total: 8,
        accepted: 8,
        rejected: [],
      })
      expect(accept.batches).toEqual([
        ['0', '1', '2'],
        ['3', '4', '5'],
        ['6', '7'],
      ])
    }
  })

  it('is stored while it still comes, and a batch that is not full is not when it breaks off', async () => {
    const body = new PassThrough()
    const accept = fakeAccept()
    const taken = takeJournal(body, { ...parts, accept })
    body.write(journalOf(5))
    await expect.poll(() => sizes(accept.batches), { timeout: 10_000 }).toEqual([3])
    body.destroy(new Error('gone'))
    await expect(taken).rejects.toThrow('gone')
    expect(sizes(accept.batches)).toEqual([3])
  })

  it('waits while there is no room, and goes on', async () => {
    let refusals = 3
    const accept = fakeAccept(() => (refusals-- > 0 ? 'spool_full' : undefined))
    expect(
      await takeJournal(Readable.from([journalOf(4)].map(Buffer.from)), {
        ...parts,
        pace: { ...pace, waitMs: 600_000 },
        accept,
      }),
    ).toMatchObject({
      accepted: 4,
    })
    expect(accept.batches).toEqual([['0', '1', '2'], ['3']])
  })

  it.each(['spool_full', 'rate_limited', 'quota_exceeded'] as const)(
    'is told of %s when waiting does not help',
    async (code) => {
      const accept = fakeAccept(() => code)
      await expect(takeJournal(Readable.from([Buffer.from(journalOf(4))]), { ...parts, accept })).rejects.toMatchObject(
        { code },
      )
    },
  )

  it('loses nothing when a batch is written at the second attempt', async () => {
    let refusals = 1
    const accept = fakeAccept(() => (refusals-- > 0 ? 'storage_full' : undefined))
    await takeJournal(bodyOf(journalOf(300)), {
      ...parts,
      pace: { ...pace, batchEntries: 300, waitMs: 600_000 },
      accept,
    })
    expect(sizes(accept.batches)).toEqual([300])
  })

  it('tells of a bug that an entry shows', async () => {
    const told: unknown[] = []
    const accept = fakeAccept((entries) => (entries.includes('1') ? 'internal' : undefined))
    await takeJournal(bodyOf(journalOf(4)), { ...parts, accept, failed: (cause) => told.push(cause) })
    expect(told).toHaveLength(1)
  })

  it.each(['invalid_request', 'body_too_large', 'internal'] as const)(
    'loses to %s only the entry that spoils its batch',
    async (code) => {
      const accept = fakeAccept((entries) => (entries.includes('1') ? code : undefined))
      const taken = await takeJournal(Readable.from([Buffer.from(journalOf(4))]), { ...parts, accept })
      expect(taken).toEqual({ total: 4, accepted: 3, rejected: [{ index: 1, reason: `It is ${code}.` }] })
      expect(accept.batches).toEqual([['0'], ['2'], ['3']])
    },
  )

  it('ends with the batch after which its key was revoked', async () => {
    const body = new PassThrough()
    const accept = fakeAccept()
    const taken = takeJournal(body, { ...parts, accept })
    body.write(journalOf(3))
    await expect.poll(() => sizes(accept.batches), { timeout: 10_000 }).toEqual([3])
    accept.revoke()
    body.write(journalOf(3))
    await expect(taken).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('is refused when the service stops', async () => {
    const stopping = new AbortController()
    const taken = takeJournal(new PassThrough(), { ...parts, stopping: stopping.signal, accept: fakeAccept() })
    stopping.abort()
    await expect(taken).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is stored up to where it is no journal any more', async () => {
    const accept = fakeAccept()
    const body = Readable.from([Buffer.from(`${journalOf(4)}{"no":"journal"}\n`)])
    await expect(takeJournal(body, { ...parts, accept })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(sizes(accept.batches)).toEqual([3])
  })
})

describe('where a batch of a journal ends', () => {
  const shop = { ...pace, batchEntries: 2_000, entriesPerEnd: JOURNAL_PACE.entriesPerEnd }
  const batchesOf = async (from: number, to: number) => {
    const accept = fakeAccept()
    const entries = journalOf(to).split(/(?<=\n\n)/)
    await takeJournal(bodyOf(entries.slice(from).join('')), { ...parts, pace: shop, accept })
    return accept.batches.map((batch) => batch.join(' '))
  }

  it('is said by its entries, so that all but the last is recognised when the answer was lost and more has come', async () => {
    const first = await batchesOf(0, 3_000)
    const again = await batchesOf(0, 3_700)
    expect(first.length).toBeGreaterThan(5)
    expect(again.slice(0, first.length - 1)).toEqual(first.slice(0, -1))
    expect(first.at(-1)!.split(' ').length).toBeLessThan(1_000)
  })

  it('is found again wherever the upload begins', async () => {
    const whole = await batchesOf(0, 3_000)
    const later = await batchesOf(100, 3_000)
    expect(later.slice(1)).toEqual(whole.slice(1 - later.length))
  })

  it('comes after what its key may send in half a minute, which is less than it waits for', async () => {
    const accept = fakeAccept()
    const caller = readCaller()
    const slow = { ...caller, project: { ...caller.project, maxBytesPerSecond: 1_000 } }
    const text = `__CURSOR=i=1\nMESSAGE=${'x'.repeat(9_980)}\n\n`.repeat(10) + journalOf(500)
    await takeJournal(bodyOf(text), { ...parts, pace: { ...shop, entriesPerEnd: NEVER }, accept, caller: slow })
    // A small entry counts as 128 bytes.
    expect(sizes(accept.batches)).toEqual([3, 3, 3, 158, 235, 108])
  })
})

describe('a journal that keeps its connection', () => {
  afterEach(() => void vi.useRealTimers())
  /** Writes the pieces a second apart. */
  const drip = async (pieces: (second: number) => string, seconds: number, revokedAt?: number) => {
    const accept = fakeAccept()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const body = new PassThrough()
    let outcome: unknown = 'goes on'
    takeJournal(body, { ...parts, pace: { ...pace, batchEntries: 2_000 }, accept }).catch((error) => {
      outcome = error.code
    })
    for (let second = 0; second < seconds && outcome === 'goes on'; second++) {
      if (second === revokedAt) accept.revoke()
      const piece = pieces(second)
      if (piece !== '') body.write(piece)
      await vi.advanceTimersByTimeAsync(1_000)
      // What a stream passes on takes turns that no clock knows of.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    }
    return outcome
  }
  it.each<[string, (second: number) => string]>([
    ['only line ends come', (second) => (second < 16 ? '\n' : '')],
    ['a field comes byte by byte', (second) => (second === 0 ? 'A=' : 'x')],
    ['whole entries come', () => 'A=1\n\n'],
    ['nothing comes', () => ''],
  ])('is ended within two seconds when its key is revoked, also while %s', async (_, pieces) => {
    expect(await drip(pieces, 4, 2)).toBe('unauthorized')
  })

  it.each<[string, (second: number) => string]>([
    ['nothing comes', () => ''],
    ['only parts of an entry come', (second) => (second === 0 ? 'A=' : 'x')],
  ])('is ended after a minute in which %s', async (_, pieces) => {
    expect(await drip(pieces, 59)).toBe('goes on')
    vi.useRealTimers()
    expect(await drip(pieces, 61)).toBe('request_timeout')
  })

  it.each<[string, (second: number) => string]>([
    ['entries', (second) => (second % 50 === 0 ? 'A=1\n\n' : '')],
    ['much of one entry', (second) => (second === 0 ? 'A=' : 'x'.repeat(2_000))],
  ])('may go on as long as %s come', async (_, pieces) => {
    expect(await drip(pieces, 200)).toBe('goes on')
  })
})

describe('what is received and not stored', () => {
  const large = `A=${'x'.repeat(1_500_000)}\n`

  it('is charged when it is passed over', async () => {
    const accept = fakeAccept()
    await takeJournal(bodyOf(`${large}${journalOf(1)}`), { ...parts, accept })
    expect(accept.owed.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(1_499_900)
    expect(accept.batches).toEqual([['0']])
  })

  it('is waited for when the rate is used up, and refused when that does not help', async () => {
    const accept = fakeAccept()
    accept.indebt(3)
    const patient = { ...pace, waitMs: 600_000 }
    expect(await takeJournal(bodyOf(`${large}\n`), { ...parts, pace: patient, accept })).toMatchObject({ total: 1 })
    accept.indebt(Number.POSITIVE_INFINITY)
    const refused = takeJournal(bodyOf(large), { ...parts, pace: { ...pace, waitMs: 0 }, accept })
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('is charged when the upload breaks, and what is stored is not charged again', async () => {
    const accept = fakeAccept()
    const text = journalOf(5)
    await takeJournal(bodyOf(text), { ...parts, accept })
    const blank = accept.owed.splice(0).reduce((sum, bytes) => sum + bytes, 0)
    // The empty lines after the entries.
    expect(blank).toBe(5)
    await expect(takeJournal(bodyOf(`${text}{}\n`), { ...parts, accept })).rejects.toThrow(/export format/)
    expect(accept.owed).toEqual([text.length + 3 - 3 * Buffer.byteLength(journalOf(1)) + 3])
  })

  it('is told of while it is held', async () => {
    const held: number[] = []
    const body = Readable.from(['A=1\n\n', 'B=2\n', 'C=', 'xx'].map(Buffer.from))
    const slot = { hold: (bytes: number) => void held.push(bytes) }
    await expect(takeJournal(body, { ...parts, slot, accept: fakeAccept() })).rejects.toThrow(/ends in a field/)
    expect(held).toEqual([4, 8, 10, 12])
  })
})

describe('POST /upload', () => {
  const JOURNAL = { 'content-type': 'application/vnd.fdo.journal' }
  const open = (accept = fakeAccept(), slots = new JournalSlots()) => {
    const server = silentServer('http://localhost')
    journaldRoutes(server.routes, { accept, pace, slots, log: createLog('silent') })
    return server
  }
  const ask = async (more: Record<string, string>, payload = journalOf(4), accept = fakeAccept()) => {
    const server = open(accept)
    const request = { method: 'POST', url: '/upload', headers: { host: 'localhost', ...more }, payload } as const
    const answer = await server.routes.inject(request)
    await server.routes.close()
    return [answer.statusCode, answer.body, answer.headers['retry-after']]
  }

  it('says how many entries are stored', async () => {
    expect(await ask({ ...headers, ...JOURNAL })).toEqual([200, '4 entries are stored.\n', undefined])
    expect(await ask({ ...headers, ...JOURNAL }, '')).toEqual([200, '0 entries are stored.\n', undefined])
  })

  it('says which are not, and is not refused for them', async () => {
    const accept = fakeAccept((entries) => (entries.some((entry) => Number(entry) > 1) ? 'invalid_request' : undefined))
    expect(await ask({ ...headers, ...JOURNAL }, journalOf(10), accept)).toEqual([
      200,
      '2 of 10 entries are stored. Entry 2: It is invalid_request. Entry 3: It is invalid_request. Entry 4: It is invalid_request. Entry 5: It is invalid_request. Entry 6: It is invalid_request. 3 more like these.\n',
      undefined,
    ])
  })

  it.each<[string, Record<string, string>, number, RegExp]>([
    ['no key', JOURNAL, 401, /valid key/],
    ['a wrong key', { ...JOURNAL, authorization: 'Basic OmJhZA==' }, 401, /valid key/],
    ['another type', { ...headers, 'content-type': 'application/json' }, 415, /application\/vnd\.fdo\.journal/],
    ['compression', { ...headers, ...JOURNAL, 'content-encoding': 'zstd' }, 415, /without compression/],
  ])('is refused in words with %s', async (_, more, status, words) => {
    expect(await ask(more)).toEqual([status, expect.stringMatching(words), undefined])
  })

  it('says when to come again', async () => {
    const full = fakeAccept(() => 'spool_full')
    expect(await ask({ ...headers, ...JOURNAL }, journalOf(4), full)).toEqual([503, 'It is spool_full.\n', '1'])
  })

  it('is refused when the key, the project or the service has as many uploads as it may', async () => {
    const one = (share: keyof typeof JOURNAL_UPLOAD_LIMITS) =>
      new JournalSlots({ ...JOURNAL_UPLOAD_LIMITS, [share]: { ...JOURNAL_UPLOAD_LIMITS[share], uploads: 1 } })
    for (const [share, status] of [
      ['key', 429],
      ['project', 429],
      ['all', 503],
    ] as const) {
      const accept = fakeAccept()
      const server = open(accept, one(share))
      const port = await server.listen('127.0.0.1', 0)
      const head = `POST /upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.authorization}\r\nContent-Type: ${JOURNAL['content-type']}\r\nTransfer-Encoding: chunked\r\n\r\n`
      const [first, second] = [await converse(port), await converse(port)]
      const text = journalOf(3)
      await first.write(`${head}${text.length.toString(16)}\r\n${text}\r\n`)
      await expect.poll(() => sizes(accept.batches)).toEqual([3])
      await second.write(head)
      expect(await second.ended).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      await first.write('0\r\n\r\n')
      await first.until(/3 entries are stored/)
      const third = await converse(port)
      await third.write(`${head}0\r\n\r\n`)
      await third.until(/0 entries are stored/)
      for (const talk of [first, second, third]) talk.close()
      await server.stop()
    }
  })

  it('tells a sender that asks first to go on', async () => {
    const server = open()
    const talk = await converse(await server.listen('127.0.0.1', 0))
    await talk.write(
      `POST /upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.authorization}\r\nContent-Type: ${JOURNAL['content-type']}\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    )
    await talk.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    await talk.write('6\r\nA=1\n\n\n\r\n0\r\n\r\n')
    expect(await talk.ended).toMatch(/HTTP\/1\.1 200 .*1 entry is stored\./s)
    talk.close()
    await server.stop()
  })

  it('is answered over a connection although the rest never comes', async () => {
    const server = open()
    const port = await server.listen('127.0.0.1', 0)
    const { request } = await import('node:http')
    const call = request({ port, method: 'POST', path: '/upload', headers: { ...headers, ...JOURNAL } })
    call.on('error', () => {})
    call.write(`${journalOf(1)}no journal, but a long text without any name of a field in it, nor anything else\n`)
    const [answer] = await once(call, 'response')
    expect(answer.statusCode).toBe(400)
    call.destroy()
    await server.stop()
  })
})
