import { Transaction } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { controlBackends, untilAvailable } from '../testing/control.ts'
import { useBackend } from '../testing/use-backend.ts'
import { MIGRATIONS } from './database/migrate.ts'
import type { Control } from './open.ts'
import { dayOf, monthOf } from './projects/usage.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }
const BYTES = { digest: 'bytes', receivedMs: NOW - 5, retentionDays: 30 }
const NUL = String.fromCharCode(0)
const LONE_SURROGATE = String.fromCharCode(0xd800)

describe.each(controlBackends())('the control store on $name', (backend) => {
  let control: Control
  let other: Control
  let names = 0
  const newProject = async () => {
    names += 1
    return control.projects.create({ name: `Project ${names}`, retentionDays: 30 }, change)
  }

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    ;[control, other] = await Promise.all([backend.open(), backend.open()])
  })
  useBackend(backend)

  it('opens when several nodes create its tables at the same moment', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, () => backend.open()))
    await Promise.all(nodes.map((node) => node.ping()))
    const bare = await backend.openBare()
    expect(await bare.db.selectFrom('tidemark_migrations').select('version').execute()).toEqual(
      MIGRATIONS.map((_, index) => ({ version: index + 1 })),
    )
    await Promise.all(nodes.map((node) => node.close()))
  })

  it('refuses a database that a newer build has migrated, in words', async () => {
    const bare = await backend.openBare()
    await bare.db.insertInto('tidemark_migrations').values({ version: 99, name: 'later', applied_at: NOW }).execute()
    await expect(backend.open()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        `has version 99, and this build of Tidemark knows versions up to ${MIGRATIONS.length}`,
      ),
    })
    await bare.db.deleteFrom('tidemark_migrations').where('version', '=', 99).execute()
  })

  it('refuses a database in which one of the versions is another than this build means by it', async () => {
    const bare = await backend.openBare()
    const rename = (name: string) =>
      bare.db.updateTable('tidemark_migrations').set({ name }).where('version', '=', 3).execute()
    await rename('create something else')
    await expect(backend.open()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Version 3 of the control database is "create something else"'),
    })
    await rename(MIGRATIONS[2]!.name)
    await (await backend.open()).close()
  })

  it('refuses NUL and half surrogate pairs instead of storing other text', async () => {
    const { id } = await newProject()
    for (const bad of [`a${NUL}b`, `a${LONE_SURROGATE}`]) {
      const deploy = { sha: bad, environment: 'production', deployedAtUs: 1 }
      await expect(control.deploys.record(id, deploy, NOW)).rejects.toMatchObject({ code: 'invalid_request' })
      await expect(control.settings.compareAndSet('odd', null, bad, NOW)).rejects.toMatchObject({
        code: 'invalid_request',
      })
      await expect(control.projects.find(bad)).rejects.toMatchObject({ code: 'invalid_request' })
    }
    expect(await control.deploys.list(id, { limit: 10 })).toEqual([])
  })

  it('keeps NUL, half surrogate pairs and astral characters inside JSON as they were', async () => {
    const { id } = await newProject()
    const metadata = { [`a${NUL}`]: `b${NUL}c`, half: LONE_SURROGATE, wave: '🌊', nested: { list: [1, null, 'ä'] } }
    const { deploy } = await control.deploys.record(id, { sha: '🌊', environment: 'é', deployedAtUs: 1, metadata }, NOW)
    expect(await other.deploys.get(id, deploy.id)).toMatchObject({ sha: '🌊', environment: 'é', metadata })
  })

  describe('batches', () => {
    it('belong to the first segment and frame that claim them, also when these ask again', async () => {
      const { id: projectId } = await newProject()
      const first = { ...BYTES, projectId, batchId: 'b1', segmentId: 'seg_1', frame: 0 }
      expect(await control.batches.claim([first], NOW)).toEqual([true])
      const later = [
        { ...first, frame: 1 },
        { ...first, batchId: 'b2' },
        { ...first, segmentId: 'seg_2' },
        first,
        { ...first, batchId: 'b2', frame: 9 },
      ]
      expect(await other.batches.claim(later, NOW)).toEqual([false, true, false, true, false])
    })

    it('with other bytes under the same id are other batches, each with one owner', async () => {
      const { id: projectId } = await newProject()
      const first = { ...BYTES, projectId, batchId: 'b', segmentId: 'seg_1', frame: 0 }
      const changed = { ...first, digest: 'other', segmentId: 'seg_2' }
      expect(await control.batches.claim([first, { ...changed, segmentId: 'seg_1', frame: 1 }], NOW)).toEqual([
        true,
        true,
      ])
      const later = [{ ...first, frame: 7 }, changed, first, { ...changed, segmentId: 'seg_1', frame: 1 }]
      expect(await other.batches.claim(later, NOW)).toEqual([false, false, true, true])
    })

    it('claimed by an earlier version, which kept no digest, are known by their id', async () => {
      const { id: projectId } = await newProject()
      const known = { ...BYTES, projectId, batchId: 'b', segmentId: 'seg_1', frame: 0 }
      expect(await control.batches.claim([{ ...known, digest: '' }], NOW)).toEqual([true])
      expect(await other.batches.claim([{ ...known, segmentId: 'seg_2' }], NOW)).toEqual([false])
      const [young, old] = [
        { ...known, batchId: 'c' },
        { ...known, batchId: 'c', digest: '', segmentId: 'seg_3' },
      ]
      expect(await control.batches.claim([young], NOW)).toEqual([true])
      expect(await other.batches.claim([old], NOW)).toEqual([false])
    })

    it('can be looked up by their id, and the bytes of others under it too, for as long as they count', async () => {
      const { id: projectId } = await newProject()
      const first = { ...BYTES, projectId, batchId: 'b', segmentId: 'seg_1', frame: 0 }
      await control.batches.claim([first, { ...first, digest: 'other', receivedMs: 7, frame: 1 }], NOW)
      const found = { digest: 'bytes', receivedMs: NOW - 5, retentionDays: 30, claimedMs: NOW }
      expect(await other.batches.find({ projectId, batchId: 'b' }, NOW)).toEqual(found)
      expect(await other.batches.find({ projectId, batchId: 'b' }, NOW + 1)).toBeUndefined()
      expect(await other.batches.find({ projectId, batchId: 'B' }, NOW)).toBeUndefined()
      expect(await other.batches.find({ projectId, batchId: 'b', digest: 'other' }, NOW)).toMatchObject({
        receivedMs: 7,
      })
      expect(await other.batches.find({ projectId, batchId: 'b', digest: 'third' }, NOW)).toBeUndefined()
    })

    it('are told apart by project', async () => {
      const [a, b] = [await newProject(), await newProject()]
      const claims = [a, b].map(({ id }) => ({
        ...BYTES,
        projectId: id,
        batchId: 'same',
        segmentId: 'seg_1',
        frame: 0,
      }))
      expect(await control.batches.claim(claims, NOW)).toEqual([true, true])
    })

    it('have one owner each when two nodes claim thousands at once in opposite orders', async () => {
      const { id: projectId } = await newProject()
      const claims = (segmentId: string) =>
        Array.from({ length: 1_200 }, (_, i) => ({ ...BYTES, projectId, batchId: `b${i}`, segmentId, frame: i }))
      const [mine, theirs] = await Promise.all([
        untilAvailable(() => control.batches.claim(claims('seg_a'), NOW)),
        untilAvailable(() => other.batches.claim(claims('seg_b').reverse(), NOW)),
      ])
      theirs.reverse()
      expect(mine.filter((owned, i) => owned === theirs[i])).toEqual([])
    })

    it('are forgotten once they are old enough, and only then', async () => {
      const { id: projectId } = await newProject()
      const claim = (batchId: string, segmentId: string) => ({ ...BYTES, projectId, batchId, segmentId, frame: 0 })
      const longAgo = NOW - 1_000_000_000
      await control.batches.claim([claim('old', 'seg_1')], longAgo)
      await control.batches.claim([claim('young', 'seg_1')], longAgo + 1)
      expect(await control.batches.purge(longAgo + 1)).toBe(1)
      const again = await control.batches.claim([claim('old', 'seg_2'), claim('young', 'seg_2')], NOW)
      expect(again).toEqual([true, false])
    })
  })

  describe('usage', () => {
    it('counts a segment once, however often and by how many nodes it is counted', async () => {
      const { id: projectId } = await newProject()
      const month = monthOf(NOW)
      const entries = [{ projectId, day: dayOf(NOW), records: 10, bytes: 3_000_000_000 }]
      const counted = await Promise.all(
        [control, other, control, other].map((node) => node.usage.add(`seg_${projectId}`, entries, NOW)),
      )
      expect(counted.filter(Boolean)).toHaveLength(1)
      await other.usage.add(`seg_next_${projectId}`, entries, NOW)
      expect(await control.usage.get(projectId, month)).toEqual({ records: 20, bytes: 6_000_000_000 })
      expect(await control.usage.get(projectId, '2026-12')).toEqual({ records: 0, bytes: 0 })
    })

    it('loses nothing when many segments raise the same counters at once', async () => {
      const [a, b] = [await newProject(), await newProject()]
      const entries = [a, b].map(({ id }) => ({ projectId: id, day: '2026-11-03', records: 1, bytes: 2 }))
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          untilAvailable(() =>
            (i % 2 ? control : other).usage.add(`seg_${a.id}_${i}`, i % 2 ? entries : [...entries].reverse(), NOW),
          ),
        ),
      )
      expect(await control.usage.get(a.id, '2026-11')).toEqual({ records: 20, bytes: 40 })
      expect(await control.usage.get(b.id, '2026-11')).toEqual({ records: 20, bytes: 40 })
    })

    it('counts a segment of thousands of requests with a statement for each counter, not for each request', async () => {
      const [a, b] = [await newProject(), await newProject()]
      const entries = Array.from({ length: 5_000 }, (_, i) => ({
        projectId: i % 2 ? a.id : b.id,
        day: i % 4 < 2 ? '2026-10-31' : '2026-11-01',
        records: i,
        bytes: 1,
      }))
      const statements = vi.spyOn(Transaction.prototype, 'insertInto')
      onTestFinished(() => statements.mockRestore())
      await control.usage.add(`seg_many_${a.id}`, entries, NOW)
      // The four counters of days and of months, and the mark that the segment is counted.
      expect(statements).toHaveBeenCalledTimes(9)
      const records = entries.reduce((sum, entry) => sum + entry.records, 0)
      const all = [a, b].flatMap(({ id }) => ['2026-10', '2026-11'].map((month) => control.usage.get(id, month)))
      const counted = await Promise.all(all)
      expect(counted.map(({ bytes }) => bytes)).toEqual([1_250, 1_250, 1_250, 1_250])
      expect(counted.reduce((sum, month) => sum + month.records, 0)).toBe(records)
    })

    it('tells the days of a project and sums them into their months', async () => {
      const [{ id: projectId }, stranger] = [await newProject(), await newProject()]
      const entry = (day: string, records: number) => ({ projectId, day, records, bytes: records * 10 })
      await control.usage.add(`seg_1_${projectId}`, [entry('2026-10-31', 1), entry('2026-11-01', 2)], NOW)
      await other.usage.add(`seg_2_${projectId}`, [entry('2026-11-01', 3), entry('2026-11-03', 4)], NOW)
      await other.usage.add(`seg_3_${projectId}`, [{ ...entry('2026-11-01', 90), projectId: stranger.id }], NOW)
      expect(await control.usage.days(projectId, '2026-11-01')).toEqual([
        { day: '2026-11-01', records: 5, bytes: 50 },
        { day: '2026-11-03', records: 4, bytes: 40 },
      ])
      expect(await control.usage.get(projectId, '2026-11')).toEqual({ records: 9, bytes: 90 })
      expect(await control.usage.get(projectId, '2026-10')).toEqual({ records: 1, bytes: 10 })
    })

    it('counts redactions by rule, apart from records', async () => {
      const { id: projectId } = await newProject()
      const segment = `seg_${projectId}`
      await control.usage.add(segment, [], NOW)
      const entries = [
        { projectId, rule: 'email', redactions: 2 },
        { projectId, rule: 'card', redactions: 5 },
      ]
      expect(await control.usage.addRedactions(segment, entries, NOW)).toBe(true)
      expect(await control.usage.addRedactions(segment, entries, NOW)).toBe(false)
      expect(await control.usage.redactions(projectId)).toEqual([
        { rule: 'card', redactions: 5 },
        { rule: 'email', redactions: 2 },
      ])
    })
  })

  describe('settings', () => {
    it('are set by one of many callers that expect the same', async () => {
      const winners = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 ? control : other).settings.compareAndSet('instance', null, `id-${i}`, NOW),
        ),
      )
      expect(winners.filter(Boolean)).toHaveLength(1)
      expect(await control.settings.get('instance')).toBe(`id-${winners.indexOf(true)}`)
    })

    it('change and disappear only from the value that was expected', async () => {
      expect(await control.settings.compareAndSet('link', null, 'one', NOW)).toBe(true)
      expect(await control.settings.compareAndSet('link', 'other', 'two', NOW)).toBe(false)
      expect(await control.settings.compareAndSet('link', 'one', 'two', NOW)).toBe(true)
      expect(await control.settings.compareAndSet('link', 'one', null, NOW)).toBe(false)
      expect(await control.settings.get('link')).toBe('two')
      expect(await control.settings.compareAndSet('link', 'two', null, NOW)).toBe(true)
      expect(await control.settings.get('link')).toBeNull()
    })
  })
})
