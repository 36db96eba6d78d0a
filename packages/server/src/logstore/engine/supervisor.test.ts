/** What the supervisor does when the engine dies, hangs or never comes up. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pretendEngine } from '../testing/pretend-engine.ts'

describe('the supervisor of the engine', () => {
  let engine: ReturnType<typeof pretendEngine>
  let pausesMs: number[]
  /** Is asked how long a pause lasts; none does unless a test says so. */
  let duringPause: () => Promise<void>
  beforeEach(() => {
    pausesMs = []
    duringPause = async () => {}
    engine = pretendEngine(
      { startMs: 10_000, silenceMs: 300 },
      {
        pause(ms) {
          pausesMs.push(ms)
          return duringPause()
        },
      },
    )
  })
  afterEach(() => engine.end())

  it('ends an engine that does not answer and starts another', async () => {
    engine.behave('well')
    await engine.supervisor.start()
    expect(engine.supervisor.state).toBe('ready')
    const first = engine.pid()
    engine.behave('mute')
    // However many there were until we looked.
    await expect.poll(() => engine.supervisor.restarts, { timeout: 10_000 }).toBeGreaterThan(0)
    engine.behave('well')
    await expect.poll(() => engine.supervisor.state, { timeout: 10_000 }).toBe('ready')
    expect(engine.pid()).not.toBe(first)
  })

  it('bears the silence of an engine that is slow by nature as many times longer', async () => {
    const slow = pretendEngine({ startMs: 10_000, silenceMs: 300 }, { slowdown: 6 })
    try {
      slow.behave('well')
      await slow.supervisor.start()
      slow.behave('mute')
      const mutedAt = performance.now()
      await expect.poll(() => slow.supervisor.restarts, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0)
      expect(performance.now() - mutedAt).toBeGreaterThan(1_000)
    } finally {
      await slow.end()
    }
  })

  it('calls it failed after five restarts within a minute, and starts it again all the same', async () => {
    let goOn = () => {}
    duringPause = async () => {
      if (pausesMs.length === 5) await new Promise<void>((resolve) => (goOn = resolve))
    }
    engine.behave('mortal')
    await engine.supervisor.start()
    await expect.poll(() => engine.supervisor.state, { timeout: 20_000, interval: 20 }).toBe('failed')
    expect(engine.supervisor.restarts).toBe(5)
    await expect.poll(() => pausesMs).toEqual([200, 400, 800, 1_600, 3_200])
    engine.behave('well')
    goOn()
    await expect.poll(() => engine.supervisor.state, { timeout: 20_000 }).toBe('ready')
  })

  it('throws when the engine cannot start at all: what to do for the reader, the reason for the log', async () => {
    engine.behave('broken')
    const error = await engine.supervisor.start().then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ code: 'unavailable' })
    expect(error.message).toContain(join(engine.folder, 'database'))
    expect(error.message).not.toContain('broken')
    expect(error.cause.message).toContain('broken')
  })

  it('keeps our environment, where secrets are, from the engine', async () => {
    engine.behave('broken')
    const error = await engine.supervisor.start().catch((thrown) => thrown)
    const seen: string[] = error.cause.message.split('sees ')[1].split(',')
    expect(seen.filter((name) => !name.startsWith('NODE_CHANNEL')).sort()).toEqual(['TZ', 'UV_THREADPOOL_SIZE'])
  })
})
