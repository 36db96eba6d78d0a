import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NativeConnection, NativeResult } from './connection-slot.ts'
import { EngineConnections, type EngineQuery } from './connections.ts'

const RESULT: NativeResult = { bytes: () => new Uint8Array(), elapsed: 0, rowsRead: 0, bytesRead: 0 }

/** An engine where `hang` never ends by itself; KILL ends what it names, but for the first `deafTo` orders. */
function fakeEngine({ deafTo = 0 } = {}) {
  let orders = 0
  const running = new Map<string, (error: Error) => void>()
  const seen: string[] = []
  const open = (): NativeConnection => {
    let label = ''
    return {
      queryAsync: async (text) => {
        label = /log_comment = '([^']*)'/.exec(text)?.[1] ?? label
        seen.push(text)
        const victim = /KILL QUERY WHERE Settings\['log_comment'\] = '([^']*)' ASYNC/.exec(text)?.[1]
        if (victim !== undefined && ++orders > deafTo)
          running.get(victim)?.(new Error('Code: 394. DB::Exception: cancelled'))
        if (!text.includes('hang')) return RESULT
        return await new Promise((_, reject) => running.set(label, reject))
      },
      close: () => {},
    }
  }
  return { open, seen }
}

function query(sql: string, more: Partial<EngineQuery> = {}): EngineQuery {
  return { sql, params: new Map(), settings: new Map(), isRead: true, ...more }
}

describe('the connections to the engine', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  function connections(engine: ReturnType<typeof fakeEngine>) {
    const stuck: string[] = []
    const onStuck = (label: string) => void stuck.push(label)
    const pool = new EngineConnections({
      open: engine.open,
      settings: { max_execution_time: '20' },
      slowdown: 1,
      onStuck,
    })
    return { pool, stuck }
  }

  it('run eight queries, let thirty-two wait, and refuse the next at once', async () => {
    const { pool } = connections(fakeEngine())
    const waiting = Array.from({ length: 40 }, () => pool.run(query('SELECT hang')).catch(() => {}))
    await vi.advanceTimersByTimeAsync(0)
    await expect(pool.run(query('SELECT 1'))).rejects.toMatchObject({ code: 202 })
    expect(waiting).toHaveLength(40)
  })

  it('give the place of a query that nobody waits for to the next', async () => {
    const { pool } = connections(fakeEngine())
    const gone = new AbortController()
    for (let i = 0; i < 40; i++) {
      pool.run(query('SELECT hang', i === 20 ? { signal: gone.signal } : {})).catch(() => {})
    }
    await vi.advanceTimersByTimeAsync(0)
    gone.abort()
    const next = pool.run(query('SELECT 1')).catch((error) => error)
    await vi.advanceTimersByTimeAsync(0)
    expect(await Promise.race([next, 'waiting'])).toBe('waiting')
  })

  it('keep half of all places, to run and to wait, for other projects', async () => {
    const { pool } = connections(fakeEngine())
    const greedy = Array.from({ length: 21 }, () =>
      pool.run(query('SELECT hang', { project: 'prj_a' })).catch((error) => error),
    )
    await vi.advanceTimersByTimeAsync(0)
    expect(await greedy[20]).toMatchObject({ code: 202 })
    for (let i = 0; i < 3; i++) pool.run(query('SELECT hang', { project: `prj_${i}` })).catch(() => {})
    await expect(pool.run(query('SELECT 1', { project: 'prj_b' }))).resolves.toBe(RESULT)
  })

  it('let the next of a project in when one of its own has ended', async () => {
    const { pool } = connections(fakeEngine())
    const gone = new AbortController()
    pool.run(query('SELECT hang', { project: 'prj_a', signal: gone.signal })).catch(() => {})
    for (let i = 0; i < 3; i++) pool.run(query('SELECT hang', { project: 'prj_a' })).catch(() => {})
    const next = pool.run(query('SELECT 1', { project: 'prj_a' }))
    await vi.advanceTimersByTimeAsync(10)
    expect(await Promise.race([next, 'waiting'])).toBe('waiting')
    gone.abort()
    await vi.advanceTimersByTimeAsync(10)
    expect(await next).toBe(RESULT)
  })

  it('answer the heartbeat and take writes while all readers are busy', async () => {
    const { pool } = connections(fakeEngine())
    for (let i = 0; i < 8; i++) pool.run(query('SELECT hang')).catch(() => {})
    await expect(pool.ping()).resolves.toBeUndefined()
    await expect(pool.run(query('INSERT INTO logs SELECT 1', { isRead: false }))).resolves.toBe(RESULT)
  })

  it('only read on the readers', async () => {
    const engine = fakeEngine()
    const { pool } = connections(engine)
    await pool.run(query('SELECT 1'))
    await pool.run(query('INSERT 1', { isRead: false }))
    expect(engine.seen.map((text) => text.includes("readonly = '2'"))).toEqual([true, false])
  })

  it('stop a query a second after its time limit', async () => {
    const { pool, stuck } = connections(fakeEngine())
    const outcome = pool.run(query('SELECT hang')).catch((error) => error)
    await vi.advanceTimersByTimeAsync(20_900)
    expect(await Promise.race([outcome, 'running'])).toBe('running')
    await vi.advanceTimersByTimeAsync(200)
    expect(await outcome).toMatchObject({ code: 394 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stuck).toEqual([])
  })

  it('stop a query at the limit that the call itself sets', async () => {
    const { pool } = connections(fakeEngine())
    const outcome = pool.run(query('SELECT hang', { settings: new Map([['max_execution_time', '1']]) }))
    const settled = outcome.catch((error) => error)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(await Promise.race([settled, 'running'])).toMatchObject({ code: 394 })
  })

  it('stop a query when nobody waits for it any more', async () => {
    const { pool } = connections(fakeEngine())
    const gone = new AbortController()
    const outcome = pool.run(query('SELECT hang', { signal: gone.signal })).catch((error) => error)
    await vi.advanceTimersByTimeAsync(10)
    gone.abort()
    await vi.advanceTimersByTimeAsync(10)
    expect(await outcome).toMatchObject({ code: 394 })
  })

  it('order a query to stop again when the first order came before it had begun', async () => {
    const engine = fakeEngine({ deafTo: 1 })
    const { pool } = connections(engine)
    const gone = new AbortController()
    const outcome = pool.run(query('SELECT hang', { signal: gone.signal })).catch((error) => error)
    await vi.advanceTimersByTimeAsync(10)
    gone.abort()
    await vi.advanceTimersByTimeAsync(900)
    expect(await Promise.race([outcome, 'running'])).toBe('running')
    await vi.advanceTimersByTimeAsync(200)
    expect(await outcome).toMatchObject({ code: 394 })
  })

  it('say so when a query can no longer be stopped, so that the process is ended', async () => {
    const { pool, stuck } = connections(fakeEngine({ deafTo: Number.POSITIVE_INFINITY }))
    pool.run(query('SELECT hang')).catch(() => {})
    await vi.advanceTimersByTimeAsync(30_900)
    expect(stuck).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(stuck).toEqual(['tidemark-read-0'])
  })
})
