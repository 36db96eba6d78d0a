/** The short versions of `e2e/faults/nodes.test.ts`. */
import { beforeEach, expect, it } from 'vitest'
import {
  killNodes,
  loseAnswers,
  moveVolume,
  type Outcome,
  takeLogStoreAway,
  takePostgresAway,
} from '../support/service/node-faults.ts'
import { missingStores } from '../support/service/node-stores.ts'
import { NO_HARM } from '../support/service/trial.ts'

const AWAY = '503 with Retry-After'

beforeEach((context) => {
  if (missingStores !== undefined) context.skip(missingStores)
})

it('nodes that are killed in turns lose and double nothing', async () => {
  const outcome = await killNodes(4)
  expectNoHarm(outcome)
  const others = Object.keys(outcome.statuses).filter((status) => !['200', '503', 'no answer'].includes(status))
  expect(others).toEqual([])
}, 300_000)

it('what a dead node left is loaded by another one that gets its volume', async () => {
  const outcome = await moveVolume()
  expect(outcome.left).toBeGreaterThan(0)
  expectNoHarm(outcome)
}, 300_000)

it('without PostgreSQL nobody is let in, whatever the key, and afterwards everything goes on', async () => {
  const outcome = await takePostgresAway(3_000)
  expect(Object.keys(outcome.asked)).toEqual([AWAY])
  expectNoHarm(outcome)
}, 300_000)

it('without its log store a node takes records in, and finds all of them afterwards', async () => {
  const outcome = await takeLogStoreAway(4_000)
  expect(Object.keys(outcome.read)).toEqual([AWAY])
  expect(Object.keys(outcome.statuses)).toEqual(['200'])
  expectNoHarm(outcome)
}, 300_000)

it('on a cluster, a segment whose load got no answer is stored once, whichever node and shard', async () => {
  expectNoHarm(await loseAnswers(40))
}, 300_000)

it('without its cluster a node takes records in, and finds all of them afterwards', async () => {
  const outcome = await takeLogStoreAway(2_000, { isCluster: true })
  expect(Object.keys(outcome.read)).toEqual([AWAY])
  expectNoHarm(outcome)
}, 300_000)

function expectNoHarm({ verdict }: Outcome): void {
  const { acknowledged, stored, found } = verdict
  expect(verdict).toMatchObject(NO_HARM)
  // Every batch carried an id and was sent until it was acknowledged, so nothing else can be there.
  expect(stored).toBe(acknowledged)
  expect(found).toEqual([acknowledged, acknowledged])
}
