import { beforeAll, describe, expect, it } from 'vitest'
import { type Control, openControl } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import { callOf } from '../../testing/calls.ts'
import { controlBackends } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import { firstArrivals } from './first-arrivals.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const change = { by: 'operator', nowMs: NOW_MS }
const backend = controlBackends()[0]!

describe('the first arrivals of a project', () => {
  let control: Control
  beforeAll(async () => {
    control = await backend.open()
  })
  useBackend(backend)

  it('have a call over MCP once an agent has made one, whatever else a read key is used for', async () => {
    const { id } = await control.projects.create({ name: 'a', retentionDays: 30 }, change)
    const input = { projectId: id, kind: 'read', name: 'agent', expiresAtMs: null } as const
    const { key } = await control.keys.create(input, change)
    const caller: Caller = { kind: 'key', keyId: key.id, keyKind: 'read', project: (await control.projects.get(id))! }
    const logStore = { project: () => ({ lastTimeUs: async () => null }) as never }
    const hasCalled = async () => (await firstArrivals({ control, logStore, now: () => NOW_MS }, caller)).mcp

    const other = await openControl(await backend.options())
    other.keys.touch(key, NOW_MS)
    await other.close()
    expect((await control.keys.list(id)).map(({ lastUsedAt }) => lastUsedAt)).not.toContain(null)
    expect(await hasCalled()).toBe(false)

    // A store writes what was noted when it closes, so this need not wait for the clock.
    const node = await openControl(await backend.options())
    node.calls.note({ projectId: id, keyId: key.id }, callOf({}))
    await node.close()
    expect(await hasCalled()).toBe(true)
  })
})
