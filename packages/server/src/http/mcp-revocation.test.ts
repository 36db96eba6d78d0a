/** A key that is revoked while agents hammer two nodes, and that the check of this notices a node that remembers keys. */
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { authenticateRead } from '../control/keys/authenticate.ts'
import type { Keys } from '../control/keys/keys.ts'
import { createLog } from '../log.ts'
import { createMcpEndpoint } from '../mcp/endpoint.ts'
import { controlBackends } from '../testing/control.ts'
import { fakeReading } from '../testing/reading.ts'
import { askMcp, raceRevocations } from '../testing/revocation-race.ts'
import { useBackend } from '../testing/use-backend.ts'
import { CallLimits } from '../verbs/reading/call-limits.ts'
import { mcpRoute } from './mcp-route.ts'

const change = () => ({ by: 'operator', nowMs: Date.now() })
const UNLIMITED = { callsPerMinute: 1_000_000, atOnce: 1_000 }
/** Far longer than a round takes. */
const REMEMBERED_MS = 60_000

const backend = controlBackends().find(({ name }) => name === 'PostgreSQL')!

describe('a revoked key on two nodes', () => {
  useBackend(backend)

  it('is refused by both from the next request on', async () => {
    const { before, after, violations, odd } = await race(3, (keys) => keys)
    expect([violations, odd]).toEqual([[], []])
    expect(before).toBeGreaterThanOrEqual(3 * 2)
    expect(after).toBe(3 * 16 * 2)
  })

  it('is found to be let in when a node remembers it, in every round', async () => {
    const { violations } = await race(2, (keys, node) => (node === 1 ? remembering(keys) : keys))
    expect(new Set(violations.map(({ round }) => round))).toEqual(new Set([0, 1]))
    expect(new Set(violations.map(({ node, status }) => `${node}: ${status}`))).toEqual(new Set(['1: 200']))
  })

  async function race(rounds: number, keysOf: (keys: Keys, node: number) => Keys) {
    const controls = await Promise.all([backend.open(), backend.open()])
    const nodes = await Promise.all(controls.map(({ keys }, node) => listen(keysOf(keys, node))))
    const { id: projectId } = await controls[0].projects.create(
      { name: `race of ${rounds} rounds`, retentionDays: 30 },
      change(),
    )
    return raceRevocations({
      nodes,
      rounds,
      clients: 16,
      letIn: 200,
      ask: askMcp,
      async newKey(round) {
        const { keys } = controls[round % 2]!
        const input = { projectId, kind: 'read', name: `round ${round}`, expiresAtMs: null } as const
        const { key, secret } = await keys.create(input, change())
        return { secret, revoke: async () => void (await keys.revoke(key.id, change())) }
      },
    })
  }
})

/** What no node may do. */
function remembering(keys: Keys): Keys {
  const remembered = new Map<string, { found: Awaited<ReturnType<Keys['authenticate']>>; untilMs: number }>()
  return {
    ...keys,
    async authenticate(secret, nowMs = Date.now()) {
      const known = remembered.get(secret)
      if (known && known.untilMs > nowMs) return known.found
      const found = await keys.authenticate(secret, nowMs)
      remembered.set(secret, { found, untilMs: nowMs + REMEMBERED_MS })
      return found
    },
  }
}

async function listen(keys: Keys): Promise<string> {
  const server = fastify()
  onTestFinished(() => void server.close())
  mcpRoute(server, {
    handle: createMcpEndpoint({
      reading: fakeReading(),
      authenticate: (authorization) => authenticateRead(keys, authorization),
      publicUrl: 'http://localhost',
      version: '1',
      log: createLog('silent'),
      limits: new CallLimits(UNLIMITED),
    }),
  })
  return server.listen({ host: '127.0.0.1', port: 0 })
}
