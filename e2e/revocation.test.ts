import { expect, it } from 'vitest'
import { postgresUnavailable } from '../packages/server/src/testing/postgres.ts'
import { askMcp } from '../packages/server/src/testing/revocation-race.ts'
import { startTwoNodes } from './support/service/two-nodes.ts'

/** The fault runs do 500 of them for each kind of key. */
const ROUNDS = 6

it('a key that one of two nodes revokes is refused by both from the next request on', async (context) => {
  const missing = postgresUnavailable()
  if (missing !== undefined) context.skip(missing)
  const nodes = await startTwoNodes()
  const { before, after, violations, odd } = await nodes.race({ kind: 'read', letIn: 200, ask: askMcp }, ROUNDS)
  expect([violations, odd]).toEqual([[], []])
  expect(before).toBeGreaterThanOrEqual(ROUNDS * 2)
  expect(after).toBe(ROUNDS * 16 * 2)
  await nodes.stop()
})
