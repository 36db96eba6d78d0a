import { randomBytes } from 'node:crypto'
import {
  MAX_MAPPED_RELEASES,
  MAX_SOURCE_MAPS_OF_A_PROJECT,
  MAX_SOURCE_MAPS_OF_A_RELEASE,
  MAX_STORED_MAP_BYTES,
} from '@tidemark/wire/limits'
import { DAY_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectId } from '../../model/project.ts'
import { controlBackends, untilAvailable } from '../../testing/control.ts'
import type { Control } from '../open.ts'
import type { MapContent } from './map-contents.ts'
import { REMOVED_BYTES_AT_ONCE } from './remove-maps.ts'
import { createSourceMaps, type NewMap } from './source-maps.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'key_ci', nowMs: NOW }
const content = (compressed: Buffer = Buffer.from('map')): MapContent => ({
  compressed,
  loadedBytes: 1_000,
  sources: 2,
  mappings: 3,
})
const map = (release: string, file: string, digest = 'd1', bytes?: Buffer): NewMap => ({
  release,
  file,
  digest,
  content: content(bytes),
})
const all = { after: '', limit: 500 }

describe.each(controlBackends())('source maps on $name', (backend) => {
  let control: Control
  let other: Control
  let made = 0
  let projectId: ProjectId

  beforeAll(async () => {
    if (backend.unavailable === undefined) [control, other] = await Promise.all([backend.open(), backend.open()])
  })
  beforeEach(async (ctx) => {
    if (backend.unavailable !== undefined) ctx.skip(backend.unavailable)
    projectId = await newProject()
  })
  afterAll(() => backend.close())

  const newProject = async () => {
    made += 1
    return (await control.projects.create({ name: `Maps ${made}`, retentionDays: 30 }, change)).id
  }
  const parts = async (project: ProjectId) => {
    const { db } = await backend.openBare()
    const rows = await db.selectFrom('source_map_parts').select('digest').where('project_id', '=', project).execute()
    return new Set(rows.map(({ digest }) => digest))
  }

  it('are found on every node, byte for byte, however large', async () => {
    const large = randomBytes(300_000)
    expect(await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd1', large), change)).toBe('created')
    expect(await other.sourceMaps.releases([projectId, 'prj_other'])).toEqual([{ projectId, release: '1.0' }])
    expect(await other.sourceMaps.filesAt(projectId, '1.0', ['main.js'])).toEqual([
      { file: 'main.js', digest: 'd1', loadedBytes: 1_000 },
    ])
    expect((await other.sourceMaps.content(projectId, 'd1'))?.equals(large)).toBe(true)
    expect(await other.sourceMaps.content(projectId, 'd2')).toBeNull()
  })

  it('are found by their paths, to the letter and in their release', async () => {
    for (const file of ['a/main.js', 'a/Main.js', 'é/ü_1.js'])
      await control.sourceMaps.put(projectId, map('1.0', file, file), change)
    await control.sourceMaps.put(projectId, map('1.1', 'c/main.js', 'd1'), change)
    const many = Array.from({ length: 1_200 }, (_, at) => `${at}/main.js`)
    const found = await control.sourceMaps.filesAt(projectId, '1.0', [...many, 'é/ü_1.js', 'a/main.js', 'c/main.js'])
    expect(found.map(({ file }) => file).sort()).toEqual(['a/main.js', 'é/ü_1.js'])
    expect(await control.sourceMaps.filesAt(projectId, '1.0', [])).toEqual([])
    expect((await control.sourceMaps.paths(projectId, '1.0')).sort()).toEqual(['a/Main.js', 'a/main.js', 'é/ü_1.js'])
  })

  it('are read a few parts at a time, and count as gone when they go meanwhile', async () => {
    const large = randomBytes(50 * 48 * 1024)
    await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd1', large), change)
    const bare = await backend.openBare()
    const read: number[] = []
    let isGone = false
    const db = bare.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        read.push(result.rows.length)
        if (isGone) await control.sourceMaps.purge(projectId)
        return result
      },
    })
    const sourceMaps = createSourceMaps({ ...bare, db })
    expect((await sourceMaps.content(projectId, 'd1'))?.equals(large)).toBe(true)
    expect(read).toEqual([1, 20, 20, 10])
    isGone = true
    expect(await sourceMaps.content(projectId, 'd1')).toBeNull()
  })

  it('that come again change nothing, and others replace them and what they held', async () => {
    await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd1'), change)
    expect(await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd1'), change)).toBe('unchanged')
    expect(await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd2'), change)).toBe('replaced')
    expect(await control.sourceMaps.filesAt(projectId, '1.0', ['main.js'])).toMatchObject([{ digest: 'd2' }])
    expect(await parts(projectId)).toEqual(new Set(['d2']))
  })

  it('of many files and releases are stored once when they are alike, and go with the last of them', async () => {
    for (const release of ['1.0', '1.1'])
      for (const file of ['a.js', 'b.js'])
        await control.sourceMaps.put(projectId, map(release, file, 'd1', Buffer.alloc(60_000, 7)), change)
    const bare = (await backend.openBare()).db
    const rows = await bare.selectFrom('source_map_parts').select('part').where('project_id', '=', projectId).execute()
    expect(rows.map(({ part }) => part).sort()).toEqual([0, 1])
    expect(await control.sourceMaps.remove(projectId, '1.0', change)).toBe(2)
    expect(await parts(projectId)).toEqual(new Set(['d1']))
    expect(await control.sourceMaps.remove(projectId, '1.1', change)).toBe(2)
    expect(await parts(projectId)).toEqual(new Set())
    expect(await control.sourceMaps.remove(projectId, '1.1', change)).toBe(0)
    expect((await control.audit.list({ projectId, limit: 5 })).map(({ action, details }) => [action, details])).toEqual(
      [
        ['source_maps.deleted', { release: '1.1', files: 2 }],
        ['source_maps.deleted', { release: '1.0', files: 2 }],
        expect.anything(),
      ],
    )
  })

  it('that are sent at the same moment end in one, whoever sends them', async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        untilAvailable(() =>
          (at % 2 === 0 ? control : other).sourceMaps.put(projectId, map('1.0', 'main.js', 'd1'), change),
        ),
      ),
    )
    expect(results.filter((result) => result === 'created')).toHaveLength(1)
    expect(results.filter((result) => result === 'unchanged')).toHaveLength(11)
    expect(await control.sourceMaps.listFiles(projectId, '1.0', all)).toHaveLength(1)
  })

  it('of one project are nothing to another', async () => {
    const stranger = await newProject()
    await control.sourceMaps.put(projectId, map('1.0', 'main.js'), change)
    expect(await control.sourceMaps.releases([stranger])).toEqual([])
    expect(await control.sourceMaps.filesAt(stranger, '1.0', ['main.js'])).toEqual([])
    expect(await control.sourceMaps.content(stranger, 'd1')).toBeNull()
    expect(await control.sourceMaps.listReleases(stranger, all)).toEqual([])
    expect(await control.sourceMaps.remove(stranger, '1.0', change)).toBe(0)
    await control.sourceMaps.put(stranger, map('1.0', 'main.js'), change)
    await control.sourceMaps.purge(stranger)
    expect(await control.sourceMaps.content(projectId, 'd1')).not.toBeNull()
  })

  it('are refused beyond the room of a release, a project or its store, and then leave nothing behind', async () => {
    const { db } = await backend.openBare()
    const filled = (release: string, count: number, name: (at: number) => string) =>
      Promise.all(
        Array.from({ length: Math.ceil(count / 100) }, (_, page) =>
          db
            .insertInto('source_maps')
            .values(
              Array.from({ length: Math.min(100, count - page * 100) }, (_, at) => ({
                project_id: projectId,
                release,
                file: name(page * 100 + at),
                digest: 'd1',
                uploaded_at: NOW,
                uploaded_by: 'key_ci',
              })),
            )
            .execute(),
        ),
      )
    await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd1'), change)
    await filled('1.0', MAX_SOURCE_MAPS_OF_A_RELEASE - 1, (at) => `${at}.js`)
    const refused = (release: string, file: string, digest = 'd2') =>
      expect(control.sourceMaps.put(projectId, map(release, file, digest), change)).rejects
    await refused('1.0', 'new.js').toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('at most 1,000'),
    })
    expect(await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd2'), change)).toBe('replaced')
    for (let at = 1; at < MAX_MAPPED_RELEASES; at++)
      await db
        .insertInto('source_map_releases')
        .values({ project_id: projectId, release: `r${at}`, used_at: NOW })
        .execute()
    await refused('2.0', 'main.js').toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('sourcemaps delete'),
    })
    await db
      .updateTable('source_map_contents')
      .set({ bytes: MAX_STORED_MAP_BYTES })
      .where('project_id', '=', projectId)
      .where('digest', '=', 'd1')
      .execute()
    await refused('r1', 'main.js', 'd3').toMatchObject({ code: 'conflict', message: expect.stringContaining('MiB') })
    expect(await parts(projectId)).not.toContain('d3')
    expect((await control.sourceMaps.releases([projectId])).map(({ release }) => release)).not.toContain('2.0')
  })

  it('that come at once never pass the room together', async () => {
    const { db } = await backend.openBare()
    await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd0'), change)
    await db
      .updateTable('source_map_contents')
      .set({ bytes: MAX_STORED_MAP_BYTES - 10 })
      .where('project_id', '=', projectId)
      .execute()
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        untilAvailable(() =>
          (at % 2 === 0 ? control : other).sourceMaps.put(projectId, map('1.0', `${at}.js`, `d${at + 1}`), change),
        ),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await control.sourceMaps.listFiles(projectId, '1.0', all)).toHaveLength(3)
  })

  it('are listed by name, a bounded number at a time', async () => {
    for (const release of ['1.1', '1.0', '1.2'])
      await control.sourceMaps.put(projectId, map(release, 'main.js', release), change)
    for (const nowMs of [NOW + 5, NOW + 9])
      await control.sourceMaps.put(projectId, map('1.0', 'b.js', '1.0'), { ...change, nowMs })
    const first = await control.sourceMaps.listReleases(projectId, { after: '', limit: 2 })
    expect(first).toEqual([
      {
        release: '1.0',
        files: 2,
        bytes: 8,
        uploadedAt: '2026-11-15T12:00:00.009Z',
        usedAt: null,
      },
      expect.objectContaining({ release: '1.1', files: 1 }),
    ])
    expect(await control.sourceMaps.listReleases(projectId, { after: '1.1', limit: 2 })).toMatchObject([
      { release: '1.2' },
    ])
    expect(await control.sourceMaps.listFiles(projectId, '1.0', { after: 'b.js', limit: 1 })).toEqual([
      { file: 'main.js', bytes: 4, sources: 2, mappings: 3, uploadedAt: '2026-11-15T12:00:00.000Z' },
    ])
  })

  it('are kept while their release is used, and pruned when it no longer is', async () => {
    for (const release of ['old', 'used'])
      await control.sourceMaps.put(projectId, map(release, 'a.js', release), change)
    for (const minutes of [10, 40]) await control.sourceMaps.used(projectId, 'used', NOW + minutes * MINUTE_MS)
    const isUsedFrom = { usedAt: '2026-11-15T12:10:00.000Z' }
    expect(await control.sourceMaps.listReleases(projectId, all)).toMatchObject([{ usedAt: null }, isUsedFrom])
    await control.sourceMaps.used(projectId, 'used', NOW + DAY_MS)
    expect(await control.sourceMaps.prune(projectId, NOW + 1)).toBe(1)
    expect(await control.sourceMaps.listReleases(projectId, all)).toMatchObject([{ release: 'used' }])
    expect(await parts(projectId)).toEqual(new Set(['used']))
  })

  it('are used after they were uploaded, and never before they were last used, whatever the clocks of two nodes say', async () => {
    const usedAt = async () => (await control.sourceMaps.listReleases(projectId, all))[0]?.usedAt
    const put = (minutes: number) =>
      control.sourceMaps.put(projectId, map('1.0', 'a.js'), { ...change, nowMs: NOW + minutes * MINUTE_MS })
    await put(5)
    await other.sourceMaps.used(projectId, '1.0', NOW)
    expect(await usedAt()).toBe('2026-11-15T12:05:00.001Z')
    // Nothing more to write, until it is an hour later.
    await other.sourceMaps.used(projectId, '1.0', NOW + 6 * MINUTE_MS)
    expect(await usedAt()).toBe('2026-11-15T12:05:00.001Z')
    await other.sourceMaps.used(projectId, '1.0', NOW + 70 * MINUTE_MS)
    await put(65)
    await other.sourceMaps.used(projectId, '1.0', NOW + 66 * MINUTE_MS)
    expect(await usedAt()).toBe('2026-11-15T13:10:00.000Z')
  })

  it('go in steps that others need not wait long for', async () => {
    const bytes = REMOVED_BYTES_AT_ONCE / 2
    const { db, ...bare } = await backend.openBare()
    const left: number[] = []
    const sourceMaps = createSourceMaps({
      ...bare,
      db,
      lock: async (transaction, name) => {
        await bare.lock(transaction, name)
        const rows = await transaction
          .selectFrom('source_map_contents')
          .select('digest')
          .where('project_id', '=', projectId)
          .execute()
        left.push(rows.length)
      },
    })
    const fill = async () => {
      for (const at of [1, 2, 3, 4, 5]) await control.sourceMaps.put(projectId, map(`r${at}`, 'a.js', `d${at}`), change)
      await db.updateTable('source_map_contents').set({ bytes }).where('project_id', '=', projectId).execute()
    }
    // The releases one by one, then what they had: two at a time, and once more to see that nothing is left.
    const steps = [5, 5, 5, 5, 5, 5, 3, 1, 0]
    await fill()
    expect(await sourceMaps.prune(projectId, NOW + 1)).toBe(5)
    expect(left).toEqual(steps)
    left.length = 0
    await fill()
    await sourceMaps.purge(projectId)
    expect(left).toEqual(steps)
    expect(await parts(projectId)).toEqual(new Set())
  })

  it('that nothing refers to are left alone by one that replaces another, and go with the next removal', async () => {
    const { db } = await backend.openBare()
    await control.sourceMaps.put(projectId, map('1.0', 'a.js', 'd1'), change)
    await control.sourceMaps.put(projectId, map('1.0', 'b.js', 'left'), change)
    await db.deleteFrom('source_maps').where('project_id', '=', projectId).where('digest', '=', 'left').execute()
    expect(await control.sourceMaps.put(projectId, map('1.0', 'a.js', 'd2'), change)).toBe('replaced')
    expect(await parts(projectId)).toEqual(new Set(['d2', 'left']))
    await control.sourceMaps.prune(projectId, 0)
    expect(await parts(projectId)).toEqual(new Set(['d2']))
  })

  it('are refused beyond the files of a project', async () => {
    const { db } = await backend.openBare()
    await control.sourceMaps.put(projectId, map('1.0', 'main.js', 'd1'), change)
    await sql`insert into source_maps (project_id, release, file, digest, uploaded_at, uploaded_by)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MAX_SOURCE_MAPS_OF_A_PROJECT - 1)})
      select ${projectId}, 'r' || (n / 900), n || '.js', 'd1', 0, 'key_ci' from numbers`.execute(db)
    const put = (file: string) => control.sourceMaps.put(projectId, map('1.0', file, 'd1'), change)
    await expect(put('more.js')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('at most 20,000 files together. Delete those of old ones: `tidemark sourcemaps'),
    })
    expect(await put('main.js')).toBe('unchanged')
  })

  it('are not taken for a project that was deleted meanwhile', async () => {
    await control.projects.delete(projectId, change)
    await expect(control.sourceMaps.put(projectId, map('1.0', 'main.js'), change)).rejects.toMatchObject({
      code: 'unauthorized',
    })
    expect(await parts(projectId)).toEqual(new Set())
  })
})
