/** Two nodes behind a proxy, over PostgreSQL and a log store that is reached over HTTP. */
import { beforeAll, expect, it } from 'vitest'
import {
  killNodes,
  moveVolume,
  type Outcome,
  takeLogStoreAway,
  takePostgresAway,
} from '../support/service/node-faults.ts'
import { missingStores } from '../support/service/node-stores.ts'
import { NO_HARM } from '../support/service/trial.ts'
import { report, times } from './report.ts'

const KILLS = times(40)
const VOLUMES = times(3)
const POSTGRES_AWAY_MS = 20_000
const LOG_STORE_AWAY_MS = 120_000
const AWAY = '503 with Retry-After'

beforeAll(() => {
  if (missingStores !== undefined) expect.fail(missingStores)
})

it('kills of one of two nodes lose and double nothing', async () => {
  expectNoHarm('a node killed', KILLS, await killNodes(KILLS))
})

it('what a dead node left is loaded by another one that gets its volume', async () => {
  for (let volume = 0; volume < VOLUMES; volume++) {
    const outcome = await moveVolume()
    expect(outcome.left).toBeGreaterThan(0)
    expectNoHarm(`a dead node's volume moved, ${outcome.left} segments in it`, 1, outcome)
  }
})

it('without PostgreSQL for 20 seconds nobody is let in, and nothing is lost', async () => {
  const outcome = await takePostgresAway(POSTGRES_AWAY_MS)
  expectNoHarm('PostgreSQL away for 20 s', 1, outcome)
  expect(Object.keys(outcome.asked)).toEqual([AWAY])
})

it('without the log store for two minutes records are taken in, and all are found afterwards', async () => {
  const outcome = await takeLogStoreAway(LOG_STORE_AWAY_MS)
  expectNoHarm('the log store away for 2 min', 1, outcome)
  expect(Object.keys(outcome.read)).toEqual([AWAY])
  expect(Object.keys(outcome.statuses)).toEqual(['200'])
})

function expectNoHarm(fault: string, repeated: number, { verdict, statuses }: Outcome): void {
  const { found, ...counts } = verdict
  report({ fault: `two nodes: ${fault}`, times: repeated, ...counts, note: JSON.stringify(statuses) })
  expect(verdict).toMatchObject(NO_HARM)
  expect(counts.stored).toBe(counts.acknowledged)
  expect(found).toEqual([counts.acknowledged, counts.acknowledged])
}
