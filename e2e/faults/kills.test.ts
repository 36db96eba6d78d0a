import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { NO_HARM, Trial } from '../support/service/trial.ts'
import { report, times } from './report.ts'

const KILLS = times(100)
const LOAD = { recordsPerBatch: 5, pauseMs: 20 }

it.each([true, false])('kills of the service lose, double and split nothing (batch ids: %s)', async (withBatchIds) => {
  const trial = await Trial.begin({ ...LOAD, withBatchIds })
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 2 === 0) await trial.engineReady()
    await sleep(100 + Math.random() * 1_200)
    await trial.service.stop('SIGKILL')
    await trial.restart()
  }
  const verdict = await trial.verdict()
  report({ fault: `service killed, batch ids ${withBatchIds}`, times: KILLS, ...verdict })
  expect(verdict).toMatchObject(NO_HARM)
  if (withBatchIds) expect(verdict.stored).toBe(verdict.acknowledged)
})

it('kills of the engine lose, double and split nothing, and ingest goes on answering', async () => {
  const trial = await Trial.begin(LOAD)
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 2 === 0) await trial.engineReady()
    await sleep(100 + Math.random() * 1_200)
    trial.killEngine()
  }
  const verdict = await trial.verdict()
  report({ fault: 'engine killed', times: KILLS, ...verdict, note: JSON.stringify(trial.witness.statuses) })
  expect(verdict).toMatchObject(NO_HARM)
  expect(verdict.stored).toBe(verdict.acknowledged)
  expect(Object.keys(trial.witness.statuses)).toEqual(['200'])
})
