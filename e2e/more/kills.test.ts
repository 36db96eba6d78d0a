import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { NO_HARM, Trial } from '../support/service/trial.ts'

const KILLS = 5
const MIN_BATCHES = 60

it(`${KILLS} kills of the service and ${KILLS} of the engine under load lose, double and split nothing`, async () => {
  const trial = await Trial.begin()
  for (let kill = 0; kill < KILLS; kill++) {
    // Every other time the engine is up and loading, in between it is hit while it starts.
    if (kill % 2 === 0) await trial.engineReady()
    await sleep(200 + Math.random() * 600)
    trial.killEngine()
    await sleep(200 + Math.random() * 600)
    await trial.service.stop('SIGKILL')
    await trial.restart()
  }
  // Enough that each kill hit some of it, however slow the machine is.
  while (trial.witness.acknowledgedBatches < MIN_BATCHES) await sleep(20)
  const verdict = await trial.verdict()
  expect(verdict).toMatchObject(NO_HARM)
  // Every batch carried an id and was sent until it was acknowledged, so nothing else can be there.
  expect(verdict.stored).toBe(verdict.acknowledged)
  expect(Object.keys(trial.witness.statuses).filter((status) => !['200', '503', 'no answer'].includes(status))).toEqual(
    [],
  )
}, 600_000)
