import { expect, it } from 'vitest'
import { postgresUnavailable } from '../../packages/server/src/testing/postgres.ts'
import { askMcp } from '../../packages/server/src/testing/revocation-race.ts'
import { type Door, startTwoNodes } from '../support/service/two-nodes.ts'
import { report, times } from './report.ts'

const DOORS: [name: string, door: Door][] = [
  ['MCP', { kind: 'read', letIn: 200, ask: askMcp }],
  // Nothing is stored: a batch may be empty, and a deploy without its fields is refused once its key was let in.
  ['logs', { kind: 'ingest', letIn: 200, ask: (node, secret) => post(`${node}/v1/logs`, secret, { logs: [] }) }],
  ['deploys', { kind: 'ingest', letIn: 400, ask: (node, secret) => post(`${node}/v1/deploys`, secret, {}) }],
]

it.each(DOORS)('a key that one of two nodes revokes is refused by both at once: %s', async (name, door) => {
  const missing = postgresUnavailable()
  if (missing !== undefined) expect.fail(missing)
  const rounds = times(500)
  const nodes = await startTwoNodes()
  const { before, after, violations, odd } = await nodes.race(door, rounds)
  const note = `${before} answers before, ${after} after, ${violations.length} of them not 401`
  report({ fault: `revocation on two nodes: ${name}`, times: rounds, note })
  expect([violations, odd]).toEqual([[], []])
  expect(after).toBe(rounds * 16 * 2)
  await nodes.stop()
})

async function post(url: string, secret: string, body: object): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ projectApiKey: secret, ...body }),
  })
  await response.arrayBuffer()
  return response.status
}
