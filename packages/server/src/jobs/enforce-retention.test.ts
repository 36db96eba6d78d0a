import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@tidemark/wire/time/units'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Control, openControl } from '../control/open.ts'
import type { ProjectId } from '../model/project.ts'
import type { PastRetention } from '../model/retention.ts'
import { errorGroup } from '../testing/error-group.ts'
import { enforceRetention } from './enforce-retention.ts'

const log = pino({ level: 'silent' })
const NOW = Date.UTC(2026, 5, 15, 13)
const change = { by: 'test', nowMs: NOW }

let dataDir: string
let control: Control
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'retention-'))
  control = await openControl({ databaseUrl: undefined, dataDir })
})
afterEach(async () => {
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs the job once and tells what the store was asked to forget. */
async function run(): Promise<Map<string, PastRetention | null>> {
  const asked = new Map<string, PastRetention | null>()
  const logStore = {
    forget: async (id: string, past: PastRetention | null) => {
      asked.set(id, past)
      return true
    },
  }
  await enforceRetention({ control, logStore, log, now: () => NOW }).run()
  return asked
}

describe('retention', () => {
  it('keeps whole days: what is older than the retention is forgotten, project by project', async () => {
    const week = await control.projects.create({ name: 'week', retentionDays: 7 }, change)
    const month = await control.projects.create({ name: 'month', retentionDays: 30 }, change)
    const today = Math.floor(NOW / DAY_MS) * DAY_MS
    expect(await run()).toEqual(
      new Map([
        [month.id, { rules: [], beforeUs: (today - 30 * DAY_MS) * 1_000 }],
        [week.id, { rules: [], beforeUs: (today - 7 * DAY_MS) * 1_000 }],
      ]),
    )
  })

  it('follows a retention that was shortened', async () => {
    const project = await control.projects.create({ name: 'a', retentionDays: 30 }, change)
    await control.projects.changeSettings(project.id, { retentionDays: 1 }, change)
    const today = Math.floor(NOW / DAY_MS) * DAY_MS
    expect((await run()).get(project.id)).toEqual({ rules: [], beforeUs: (today - DAY_MS) * 1_000 })
  })

  it('follows the rules of a project', async () => {
    const project = await control.projects.create({ name: 'a', retentionDays: 30 }, change)
    const retentionRules = [{ levels: ['debug' as const], days: 3 }]
    await control.projects.changeSettings(project.id, { retentionRules }, change)
    const today = Math.floor(NOW / DAY_MS) * DAY_MS
    expect((await run()).get(project.id)).toEqual({
      rules: [{ levels: ['debug'], service: null, environment: null, beforeUs: (today - 3 * DAY_MS) * 1_000 }],
      beforeUs: (today - 30 * DAY_MS) * 1_000,
    })
  })

  it('goes on with the others when the records of one project cannot be removed', async () => {
    const [first, second] = [
      await control.projects.create({ name: 'first', retentionDays: 7 }, change),
      await control.projects.create({ name: 'second', retentionDays: 7 }, change),
    ]
    const asked: string[] = []
    const logStore = {
      forget: async (id: string) => {
        asked.push(id)
        if (asked.length === 1) throw new Error('It took too long.')
        return true
      },
    }
    await enforceRetention({ control, logStore, log, now: () => NOW }).run()
    expect(asked.toSorted()).toEqual([first.id, second.id].toSorted())
  })

  it('removes the analyses of a deleted project, and none of a living one', async () => {
    const living = await control.projects.create({ name: 'living', retentionDays: 1 }, change)
    const deleted = await control.projects.create({ name: 'deleted', retentionDays: 30 }, change)
    const atUs = (NOW - 20 * DAY_MS) * 1_000
    const groups = [living, deleted].map(({ id }) => errorGroup(id, { atUs }))
    await control.analyses.record([{ segmentId: 'seg_1', groups }], NOW)
    const [before] = await control.analyses.list(living.id, { limit: 1, sort: 'count' }, NOW * 1_000)
    await control.projects.delete(deleted.id, change)
    await run()
    expect(await control.analyses.list(deleted.id, { limit: 9, sort: 'count' }, NOW * 1_000)).toEqual([])
    expect(await control.analyses.get(living.id, before?.id ?? '')).toEqual(before)
    expect(before).toMatchObject({ sample: { message: expect.stringContaining('it failed') } })
  })

  it('removes all records of a deleted project, once', async () => {
    const project = await control.projects.create({ name: 'a', retentionDays: 30 }, change)
    await control.projects.delete(project.id, change)
    expect(await run()).toEqual(new Map([[project.id, null]]))
    expect(await run()).toEqual(new Map())
  })
})

describe('source maps', () => {
  const mapOf = (release: string) => ({
    release,
    file: 'main.js',
    digest: release,
    content: { compressed: Buffer.from('map'), loadedBytes: 1, sources: 1, mappings: 1 },
  })
  const kept = async (project: ProjectId) =>
    (await control.sourceMaps.listReleases(project, { after: '', limit: 10 })).map(({ release }) => release)

  it('go when no record of their release can be left, by the longest time that the project keeps any', async () => {
    const project = await control.projects.create({ name: 'a', retentionDays: 7 }, change)
    await control.projects.changeSettings(project.id, { retentionRules: [{ levels: ['fatal'], days: 30 }] }, change)
    const daysAgo = (days: number) => ({ by: 'test', nowMs: NOW - days * DAY_MS })
    await control.sourceMaps.put(project.id, mapOf('old'), daysAgo(33))
    await control.sourceMaps.put(project.id, mapOf('still used'), daysAgo(33))
    await control.sourceMaps.put(project.id, mapOf('recent'), daysAgo(29))
    await control.sourceMaps.used(project.id, 'still used', NOW - DAY_MS)
    await run()
    expect(await kept(project.id)).toEqual(['recent', 'still used'])
  })

  it('go with their project', async () => {
    const project = await control.projects.create({ name: 'a', retentionDays: 7 }, change)
    await control.sourceMaps.put(project.id, mapOf('1.0'), change)
    await control.projects.delete(project.id, change)
    await run()
    expect(await kept(project.id)).toEqual([])
    expect(await control.sourceMaps.content(project.id, '1.0')).toBeNull()
  })

  it('of one project that cannot be removed keep no others, deleted or living', async () => {
    const [stuck, deleted, living] = [
      await control.projects.create({ name: 'stuck', retentionDays: 7 }, change),
      await control.projects.create({ name: 'deleted', retentionDays: 7 }, change),
      await control.projects.create({ name: 'living', retentionDays: 7 }, change),
    ]
    for (const { id } of [stuck, deleted, living])
      await control.sourceMaps.put(id, mapOf('old'), { by: 'test', nowMs: NOW - 20 * DAY_MS })
    for (const { id } of [stuck, deleted]) await control.projects.delete(id, change)
    const logStore = {
      forget: (id: string) => (id === deleted.id ? Promise.resolve(true) : Promise.reject(new Error('no'))),
    }
    await enforceRetention({ control, logStore, log, now: () => NOW }).run()
    expect([await kept(stuck.id), await kept(deleted.id), await kept(living.id)]).toEqual([['old'], [], []])
    expect((await control.projects.listDeleted()).map(({ id }) => id)).toEqual([stuck.id])
  })
})
