import { DAY_MS, HOUR_MS } from '@tidemark/wire/time/units'
import { beforeAll, describe, expect, it } from 'vitest'
import { controlBackends } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import type { Control } from '../open.ts'

const NOW = Date.UTC(2026, 10, 15, 12, 30)
const change = { by: 'operator', nowMs: NOW }

describe.each(controlBackends())('counts of ingest on $name', (backend) => {
  let control: Control
  let other: Control
  let names = 0
  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    control = await backend.open()
    other = await backend.open()
  })
  useBackend(backend)

  const ids = () => {
    names += 1
    return { projectId: `prj_counts_${names}`, keyId: `key_counts_${names}` }
  }

  it('are summed over nodes and hours, for the last day and the last week', async () => {
    const key = ids()
    control.ingestCounts.note(key, 'stored', 10, NOW)
    control.ingestCounts.note(key, 'stored', 5, NOW - 1_000)
    await control.ingestCounts.flush()
    control.ingestCounts.note(key, 'stored', 3, NOW - 3 * DAY_MS)
    other.ingestCounts.note(key, 'stored', 100, NOW - 2 * HOUR_MS)
    other.ingestCounts.note(key, 'stored', 9_000, NOW - 8 * DAY_MS)
    other.ingestCounts.note(key, 'too_large', 1, NOW - 2 * DAY_MS)
    await other.ingestCounts.flush()
    const found = await control.ingestCounts.list(key.projectId, NOW)
    expect(found.sort((a, b) => (a.outcome < b.outcome ? -1 : 1))).toEqual([
      { keyId: key.keyId, outcome: 'stored', lastDay: 115, lastWeek: 118, lastAtMs: NOW },
      { keyId: key.keyId, outcome: 'too_large', lastDay: 0, lastWeek: 1, lastAtMs: NOW - 2 * DAY_MS },
    ])
  })

  it('are those of one project', async () => {
    const [mine, theirs] = [ids(), ids()]
    control.ingestCounts.note(mine, 'malformed', 1, NOW)
    control.ingestCounts.note(theirs, 'malformed', 7, NOW)
    expect(await control.ingestCounts.list(mine.projectId, NOW)).toMatchObject([{ keyId: mine.keyId, lastDay: 1 }])
  })

  it('are forgotten when they are no longer shown', async () => {
    const key = ids()
    control.ingestCounts.note(key, 'stored', 1, NOW - 2 * DAY_MS)
    control.ingestCounts.note(key, 'stored', 1, NOW)
    await control.ingestCounts.flush()
    await control.ingestCounts.forget(NOW - DAY_MS)
    expect(await control.ingestCounts.list(key.projectId, NOW)).toMatchObject([{ lastWeek: 1 }])
  })

  it('hold what was tried with a key that has ended, and nothing of keys that nobody made', async () => {
    const project = await control.projects.create({ name: 'ended keys', retentionDays: 30 }, change)
    const make = (kind: 'ingest' | 'read', expiresAtMs: number | null) =>
      control.keys.create({ projectId: project.id, kind, name: 'k', expiresAtMs }, change)
    const [expired, revoked, read] = [
      await make('ingest', NOW + 1),
      await make('ingest', null),
      await make('read', null),
    ]
    await control.keys.revoke(revoked.key.id, change)
    await control.keys.revoke(read.key.id, change)
    for (const { secret } of [expired, revoked, revoked, read]) await control.keys.authenticate(secret, NOW + 2)
    await control.keys.find(expired.key.id, NOW + 2)
    const found = await control.ingestCounts.list(project.id, NOW + 2)
    expect(Object.fromEntries(found.map(({ keyId, outcome, lastDay }) => [keyId, [outcome, lastDay]]))).toEqual({
      [expired.key.id]: ['key_ended', 2],
      [revoked.key.id]: ['key_ended', 2],
    })
  })
})
