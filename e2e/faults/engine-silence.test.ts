import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ENGINE_DEADLINES } from '../../packages/server/src/logstore/engine/supervisor.ts'
import { pretendEngine } from '../../packages/server/src/logstore/testing/pretend-engine.ts'
import { times } from './report.ts'

const NOTICED_MS = 6_000
const HEALED_MS = 10_000
/** A native engine is ready after less than half a second; the one here stands for it and does nothing else. */
const NATIVE_START_MS = 500

/** The deadlines of a native engine on any machine: a real one under an emulator is given five times as long. */
it('a child that stands still is noticed within six seconds and replaced within ten, whenever it stopped', async () => {
  const engine = pretendEngine(ENGINE_DEADLINES)
  const noticed: number[] = []
  const healed: number[] = []
  try {
    engine.behave('well')
    await engine.supervisor.start()
    for (let round = 0; round < times(5); round++) {
      await sleep(1_000 + Math.random() * 1_000)
      const { restarts } = engine.supervisor
      const stoppedAt = performance.now()
      process.kill(engine.pid(), 'SIGSTOP')
      await expect.poll(() => engine.supervisor.restarts, { timeout: 30_000, interval: 10 }).toBe(restarts + 1)
      noticed.push(Math.round(performance.now() - stoppedAt))
      await expect.poll(() => engine.supervisor.state, { timeout: 20_000, interval: 10 }).toBe('ready')
      healed.push(Math.round(performance.now() - stoppedAt))
    }
  } finally {
    await engine.end()
  }
  process.stdout.write(`noticed after ${noticed.join(', ')} ms, replaced after ${healed.join(', ')} ms\n`)
  expect(Math.max(...noticed)).toBeLessThan(NOTICED_MS)
  expect(Math.max(...healed)).toBeLessThan(HEALED_MS - NATIVE_START_MS)
})
