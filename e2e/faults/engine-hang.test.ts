import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from '../../scripts/until.mjs'
import { NO_HARM, Trial } from '../support/service/trial.ts'
import { report, times } from './report.ts'

/** An engine under an emulator is given longer before it is taken for dead. */
const NOTICE_MS = process.arch === 'x64' ? 6_000 : 60_000
const HEAL_MS = process.arch === 'x64' ? 10_000 : 150_000

it.each(['SIGSTOP', 'SIGSEGV'] as const)(
  'an engine that hangs after %s is noticed and replaced while ingest goes on',
  async (signal) => {
    const trial = await Trial.begin({ connections: 2 })
    const repeats = times(3)
    const noticed: number[] = []
    for (let round = 0; round < repeats; round++) {
      await sleep(1_000)
      const victim = trial.enginePid
      const hurtAt = Date.now()
      process.kill(victim, signal)
      await until('it was never noticed', () => isReady(trial).then((ready) => !ready), NOTICE_MS)
      noticed.push(Date.now() - hurtAt)
      await until('it never healed', () => isReady(trial), HEAL_MS)
      expect(trial.enginePid).not.toBe(victim)
    }
    const verdict = await trial.verdict()
    report({
      fault: `engine ${signal}`,
      times: repeats,
      ...verdict,
      note: `noticed after ${noticed.join(', ')} ms; ${JSON.stringify(trial.witness.statuses)}`,
    })
    expect(verdict).toMatchObject(NO_HARM)
    expect(Object.keys(trial.witness.statuses)).toEqual(['200'])
  },
)

it('an engine that is away for a minute costs nothing but time', async () => {
  const trial = await Trial.begin({ connections: 2 })
  for (const endsAt = Date.now() + 60_000; Date.now() < endsAt; await sleep(200)) trial.killEngine()
  const verdict = await trial.verdict()
  report({ fault: 'engine away for 60 s', times: 1, ...verdict, note: JSON.stringify(trial.witness.statuses) })
  expect(verdict).toMatchObject(NO_HARM)
  expect(verdict.stored).toBe(verdict.acknowledged)
})

async function isReady({ service }: Trial): Promise<boolean> {
  const response = await fetch(`${service.url}/readyz`)
  await response.arrayBuffer()
  return response.ok
}
