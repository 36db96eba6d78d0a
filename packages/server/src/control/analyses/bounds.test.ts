import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectId } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import type { Control } from '../open.ts'
import { MAX_ANALYSES, MAX_NEW_A_MINUTE, MAX_OVERFLOWS } from './bounds.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }

describe.each(controlBackends())('a flood of distinct errors on $name', (backend) => {
  let control: Control
  let made = 0
  let projectId: ProjectId

  const kinds = (from: number, count: number, some: object = {}) =>
    Array.from({ length: count }, (_, n) =>
      errorGroup(projectId, { fingerprint: (from + n).toString(16).padStart(16, '0'), atUs: NOW * 1_000, ...some }),
    )
  const record = (groups: ReturnType<typeof kinds>, nowMs = NOW) => {
    made += 1
    return control.analyses.record([{ segmentId: `seg_${made}`, groups }], nowMs)
  }
  const overflows = async () =>
    (await control.analyses.list(projectId, { limit: 2_000, sort: 'count', words: ['more kinds than'] }, 0)).filter(
      ({ fingerprint }) => fingerprint === 'overflow',
    )
  const all = (limit = 50_000) => control.analyses.list(projectId, { limit, sort: 'count' }, 0)
  const total = async () => (await all()).reduce((sum, { count }) => sum + count, 0)

  beforeAll(async () => {
    if (backend.unavailable === undefined) control = await backend.open()
  })
  beforeEach(async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    made += 1
    projectId = (await control.projects.create({ name: `Project ${made}`, retentionDays: 30 }, change)).id
  })
  afterAll(() => backend.close())

  it('makes a limited number of analyses a minute, of the most frequent kinds; the rest is counted together', async () => {
    const rare = kinds(0, MAX_NEW_A_MINUTE + 40, { count: 2 })
    await record([...rare, ...kinds(90_000, 10, { count: 9 })])
    const analyses = await all()
    expect(analyses).toHaveLength(MAX_NEW_A_MINUTE + 1)
    expect(analyses.filter(({ count }) => count === 9)).toHaveLength(10)
    expect(analyses[0]).toMatchObject({
      fingerprint: 'overflow',
      title: 'Errors of more kinds than can be told apart',
      count: 50 * 2,
    })
    expect(await total()).toBe((MAX_NEW_A_MINUTE + 40) * 2 + 90)

    await record(kinds(200_000, 3, { environment: 'staging' }))
    expect((await overflows()).map(({ environment, count }) => [environment, count])).toEqual([
      ['production', 100],
      ['staging', 3],
    ])
    await record(kinds(300_000, 3), NOW + 60_001)
    expect(await all()).toHaveLength(MAX_NEW_A_MINUTE + 5)
  })

  it('never makes more than a project may have, and known kinds go on being counted', async () => {
    await record(kinds(0, 5))
    const { db } = await backend.openBare()
    // Copies of one, in one statement: recording them one by one would take longer than all other tests.
    const columns = Object.keys(await db.selectFrom('analyses').selectAll().limit(1).executeTakeFirstOrThrow())
    const copied = columns.map((name) => (name === 'id' ? sql`'ana_copy' || n.i` : sql.ref(`a.${name}`)))
    await sql`insert into analyses (${sql.join(columns.map((name) => sql.ref(name)))})
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(MAX_ANALYSES - 5)}),
      a as (select * from analyses where project_id = ${projectId} limit 1)
      select ${sql.join(copied)} from a, n`.execute(db)
    const later = NOW + 3_600_000
    await record(kinds(500_000, 7), later)
    await record(kinds(0, 5), later)
    expect((await overflows()).map(({ count }) => count)).toEqual([7])
    const { made: rows } = await db
      .selectFrom('analyses')
      .select(({ fn }) => fn.countAll<number>().as('made'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    expect(rows).toBe(MAX_ANALYSES + 1)
    expect(await total()).toBe(5 + 7 + 5)
  })

  it('counts also environments that are too many', async () => {
    await record(kinds(0, MAX_NEW_A_MINUTE))
    const environments = Array.from({ length: MAX_OVERFLOWS + 5 }, (_, n) => ({ environment: `env ${n}` }))
    await record(environments.flatMap((some) => kinds(700_000, 1, some)))
    await record(environments.flatMap((some) => kinds(700_000, 1, some)))
    const found = await overflows()
    expect(found).toHaveLength(MAX_OVERFLOWS + 1)
    expect(found[0]).toMatchObject({ environment: '', count: 10 })
    expect(await total()).toBe(MAX_NEW_A_MINUTE + 2 * (MAX_OVERFLOWS + 5))
  })

  it('goes back into the overflow that the log store made already', async () => {
    await record([errorGroup(projectId, { fingerprint: 'overflow', count: 41, atUs: NOW * 1_000 })])
    expect(await overflows()).toMatchObject([{ count: 41, type: '', title: expect.stringContaining('more kinds') }])
  })
})
