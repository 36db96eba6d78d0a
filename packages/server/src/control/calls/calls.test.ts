import { DAY_MS, HOUR_MS } from '@tidemark/wire/time/units'
import { beforeAll, describe, expect, it } from 'vitest'
import type { McpCall } from '../../model/mcp-call.ts'
import type { ProjectId } from '../../model/project.ts'
import { callOf } from '../../testing/calls.ts'
import { controlBackends } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import { type Control, openControl } from '../open.ts'
import { CALL_BOUNDS, CALL_MEMORY_MS } from './calls.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }

describe.each(controlBackends())('the record of calls on $name', (backend) => {
  let control: Control
  let names = 0

  beforeAll(async () => {
    if (backend.unavailable === undefined) control = await backend.open()
  })
  useBackend(backend)

  async function newKey(projectId?: ProjectId) {
    names += 1
    const id = projectId ?? (await control.projects.create({ name: `Project ${names}`, retentionDays: 30 }, change)).id
    const input = { projectId: id, kind: 'read', name: `agent ${names}`, expiresAtMs: null } as const
    const { key } = await control.keys.create(input, change)
    return { projectId: id, keyId: key.id }
  }

  /** A store writes what was noted when it closes, so this need not wait for the clock. */
  async function written(notes: readonly [{ projectId: string; keyId: string }, Partial<McpCall>][]) {
    const node = await openControl(await backend.options())
    for (const [caller, call] of notes) node.calls.note(caller, callOf(call))
    await node.close()
  }

  const tokensOf = async (projectId: ProjectId) =>
    (await control.calls.list(projectId, { limit: 100 })).map(({ tokens }) => tokens)

  it('can be read a second after a call, with all that is kept of it', async () => {
    const caller = await newKey()
    const call = callOf({
      atMs: NOW + 1,
      name: 'list_logs',
      arguments: ['query', 'limit'],
      rows: 50,
      error: 'internal',
    })
    control.calls.note(caller, call)
    await expect.poll(() => control.calls.list(caller.projectId, { limit: 9 })).toHaveLength(1)
    const { atMs: _, ...kept } = call
    expect(await control.calls.list(caller.projectId, { limit: 9 })).toEqual([
      { ...kept, id: expect.stringMatching(/^cal_/), keyId: caller.keyId, at: new Date(NOW + 1).toISOString() },
    ])
  })

  it('is newest first, page by page, by key, by name and by errors, and never of another project', async () => {
    const [caller, stranger] = [await newKey(), await newKey()]
    const sibling = await newKey(caller.projectId)
    const calls = Array.from({ length: 7 }, (_, index): [typeof caller, Partial<McpCall>] => [
      index % 2 === 0 ? caller : sibling,
      {
        atMs: NOW + index,
        tokens: index,
        name: index < 3 ? 'list_logs' : null,
        error: index === 5 ? 'not_found' : null,
      },
    ])
    await written([...calls, [stranger, { atMs: NOW + 9, tokens: 99 }]])
    const list = async (filter: object) =>
      (await control.calls.list(caller.projectId, { limit: 3, ...filter })).map(({ id, tokens }) => ({ id, tokens }))
    const first = await list({})
    const second = await list({ before: first.at(-1)?.id })
    const third = await list({ before: second.at(-1)?.id })
    expect([...first, ...second, ...third].map(({ tokens }) => tokens)).toEqual([6, 5, 4, 3, 2, 1, 0])
    const tokens = async (filter: object) => (await list(filter)).map((one) => one.tokens)
    expect(await tokens({ keyId: sibling.keyId })).toEqual([5, 3, 1])
    expect(await tokens({ name: 'list_logs', keyId: caller.keyId })).toEqual([2, 0])
    expect(await tokens({ errors: 'only' })).toEqual([5])
    expect(await tokens({ keyId: stranger.keyId })).toEqual([])
    expect(await control.calls.names(caller.projectId)).toEqual(['list_logs'])
  })

  it('is summed up by key: a day, a week, errors, and the duration that 95 of 100 calls keep', async () => {
    const [caller, stranger] = [await newKey(), await newKey()]
    const sibling = await newKey(caller.projectId)
    await written([
      ...Array.from({ length: 100 }, (_, index): [typeof caller, Partial<McpCall>] => [
        caller,
        { atMs: NOW - HOUR_MS, durationMs: 100 - index, error: index < 3 ? 'rate_limited' : null },
      ]),
      [caller, { atMs: NOW - 2 * DAY_MS, durationMs: 1, error: 'internal' }],
      [caller, { atMs: NOW - 8 * DAY_MS, durationMs: 9_999 }],
      [sibling, { atMs: NOW - 9 * DAY_MS, durationMs: 7 }],
      [stranger, { atMs: NOW, durationMs: 1 }],
    ])
    expect(await control.calls.byKey(caller.projectId, NOW)).toEqual([
      {
        keyId: caller.keyId,
        lastCallAt: new Date(NOW - HOUR_MS).toISOString(),
        lastDay: { calls: 100, errors: 3 },
        lastWeek: { calls: 101, errors: 4, p95Ms: 95 },
        cutBefore: null,
      },
      {
        keyId: sibling.keyId,
        lastCallAt: new Date(NOW - 9 * DAY_MS).toISOString(),
        lastDay: { calls: 0, errors: 0 },
        lastWeek: { calls: 0, errors: 0, p95Ms: null },
        cutBefore: null,
      },
    ])
  })

  it('says from when on it is whole, when a key called too often for its week to be kept', async () => {
    const [caller, quiet] = [await newKey(), await newKey()]
    const busy = Array.from({ length: CALL_BOUNDS.perKey + 5 }, (_, index): [typeof caller, Partial<McpCall>] => [
      caller,
      { atMs: NOW - HOUR_MS + index, tokens: index },
    ])
    await written([...busy.slice(0, 6_000), [quiet, { atMs: NOW - DAY_MS }]])
    await written(busy.slice(6_000))
    await control.calls.prune(NOW)
    const [summary] = await control.calls.byKey(caller.projectId, NOW)
    expect(summary?.lastDay.calls).toBe(CALL_BOUNDS.perKey)
    expect(summary?.cutBefore).toBe(new Date(NOW - HOUR_MS + 5).toISOString())
    expect((await control.calls.byKey(quiet.projectId, NOW))[0]?.cutBefore).toBeNull()
  })

  it('forgets what is too old, and the oldest of too many with one key or in one project', async () => {
    const caller = await newKey()
    const sibling = await newKey(caller.projectId)
    const at = (tokens: number, atMs = NOW - 100 + tokens) => ({ atMs, tokens })
    await written([
      [caller, at(0, NOW - CALL_MEMORY_MS - 1)],
      [caller, at(1, NOW - CALL_MEMORY_MS)],
      [caller, at(2)],
      [caller, at(3)],
      [sibling, at(4)],
      [sibling, at(5)],
    ])
    await control.calls.prune(NOW)
    expect(await tokensOf(caller.projectId)).toEqual([5, 4, 3, 2, 1])
    await control.calls.prune(NOW, { perKey: 2, perProject: 9 })
    expect(await tokensOf(caller.projectId)).toEqual([5, 4, 3, 2])
    await control.calls.prune(NOW, { perKey: 2, perProject: 3 })
    expect(await tokensOf(caller.projectId)).toEqual([5, 4, 3])
  })

  it('goes with its project, and with a key that is removed; a revoked key keeps it', async () => {
    const [doomed, revoked] = [await newKey(), await newKey()]
    const removed = await newKey(revoked.projectId)
    await written([doomed, revoked, removed].map((caller, tokens) => [caller, { tokens, atMs: NOW + tokens }]))
    await control.projects.delete(doomed.projectId, change)
    await control.keys.revoke(revoked.keyId, change)
    await control.calls.prune(NOW)
    expect([await tokensOf(doomed.projectId), await tokensOf(revoked.projectId)]).toEqual([[], [2, 1]])
    const bare = await backend.openBare()
    await bare.db.deleteFrom('api_keys').where('id', '=', removed.keyId).execute()
    expect(await tokensOf(revoked.projectId)).toEqual([1])
  })
})
