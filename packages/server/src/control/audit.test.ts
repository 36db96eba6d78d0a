import { beforeAll, describe, expect, it } from 'vitest'
import { controlBackends, untilAvailable } from '../testing/control.ts'
import { useBackend } from '../testing/use-backend.ts'
import type { Control } from './open.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }

describe.each(controlBackends())('the audit log on $name', (backend) => {
  let control: Control
  let other: Control

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    control = await backend.open()
    other = await backend.open()
  })
  useBackend(backend)

  it('tells the story of a project, newest first, without a secret', async () => {
    const { id } = await control.projects.create({ name: 'Story', retentionDays: 30 }, change)
    await control.projects.rename(id, 'Tale', { by: 'someone', nowMs: NOW + 1 })
    await control.projects.changeSettings(id, { retentionDays: 7 }, change)
    const newKey = { projectId: id, kind: 'read', name: 'agent', expiresAtMs: null } as const
    const { key, secret } = await control.keys.create(newKey, change)
    await control.keys.revoke(key.id, change)
    await control.keys.revoke(key.id, change)
    await control.projects.delete(id, change)
    const entries = await control.audit.list({ projectId: id, limit: 100 })
    expect(entries.map(({ action, by, details }) => [action, by, details])).toEqual([
      ['project.deleted', 'operator', { name: 'Tale', revokedKeys: 0 }],
      ['key.revoked', 'operator', { keyId: key.id, kind: 'read', name: 'agent' }],
      ['key.created', 'operator', { keyId: key.id, kind: 'read', name: 'agent', expiresAt: null }],
      ['project.settings_changed', 'operator', { retentionDays: 7 }],
      ['project.renamed', 'someone', { name: 'Tale' }],
      ['project.created', 'operator', { name: 'Story' }],
    ])
    expect(JSON.stringify(entries)).not.toContain(secret.slice(0, -6))
    const older = await control.audit.list({ projectId: id, limit: 1, beforeSeq: entries[1]?.seq ?? 0 })
    expect(older.map(({ id }) => id)).toEqual([entries[2]?.id])
  })

  it('has no entry for a change that did not happen', async () => {
    await control.projects.create({ name: 'Once', retentionDays: 30 }, change)
    const before = await control.audit.verify()
    await expect(control.projects.create({ name: 'once', retentionDays: 30 }, change)).rejects.toThrow()
    await expect(control.projects.delete('prj_none', change)).rejects.toThrow()
    expect(await control.audit.verify()).toEqual(before)
  })

  it('stays one chain when two nodes write at once', async () => {
    const before = await control.audit.verify()
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        untilAvailable(() =>
          (i % 2 ? control : other).projects.create({ name: `Parallel ${i}`, retentionDays: 30 }, change),
        ),
      ),
    )
    expect(await other.audit.verify()).toMatchObject({ intact: true, entries: before.entries + 30 })
  })

  it('notices an entry that was edited, removed or put in between', async () => {
    const bare = await backend.openBare()
    const rows = await bare.db.selectFrom('audit_log').selectAll().orderBy('seq').execute()
    const [, second, third] = rows
    if (!second || !third) throw new Error('the tests above leave entries')
    const restore = async () => {
      await bare.db.deleteFrom('audit_log').execute()
      await bare.db.insertInto('audit_log').values(rows).execute()
    }
    const broken = { intact: false, entries: 1, firstBadSeq: 2 }

    for (const edit of [{ details: '{}' }, { actor: 'nobody' }, { at: 1 }, { action: 'x' }, { project_id: null }]) {
      await bare.db.updateTable('audit_log').set(edit).where('seq', '=', 2).execute()
      expect(await control.audit.verify()).toEqual(broken)
      await restore()
    }
    await bare.db.deleteFrom('audit_log').where('seq', '=', 2).execute()
    expect(await control.audit.verify()).toEqual(broken)
    await restore()
    await bare.db.updateTable('audit_log').set({ hash: third.hash }).where('seq', '=', 2).execute()
    expect(await control.audit.verify()).toEqual(broken)
    await restore()
    expect(await control.audit.verify()).toMatchObject({ intact: true, entries: rows.length })
  })
})
