import { DAY_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { analysisId } from '../../analysis/group/analysis-id.ts'
import type { ProjectId } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import type { Control } from '../open.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const NOW_US = NOW * 1_000
const change = { by: 'usr_1', nowMs: NOW }
const A = '00000000000000aa'
const B = '00000000000000bb'
const C = '00000000000000cc'

describe.each(controlBackends())('grouping rules on $name', (backend) => {
  let control: Control
  let made = 0
  let projectId: ProjectId

  const record = (fingerprint: string, some: Parameters<typeof errorGroup>[1] = {}) => {
    made += 1
    const groups = [errorGroup(projectId, { fingerprint, atUs: NOW_US, ...some })]
    return control.analyses.record([{ segmentId: `seg_${made}`, groups }], NOW)
  }
  const idOf = (fingerprint: string, { environment = 'production', splitValue = '' } = {}) =>
    analysisId(projectId, environment, { fingerprint, splitValue })
  const counts = async () => {
    const all = await control.analyses.list(projectId, { limit: 100, sort: 'count' }, NOW_US)
    return all.map(({ fingerprint, splitValue, environment, count }) =>
      [fingerprint.slice(-1), splitValue, environment === 'production' ? '' : environment, count].join(' '),
    )
  }
  const merge = (from: string, into: string) =>
    control.groupingRules.add(projectId, { kind: 'merge', analysisId: idOf(from), intoAnalysisId: idOf(into) }, change)

  beforeAll(async () => {
    if (backend.unavailable === undefined) control = await backend.open()
  })
  beforeEach(async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    made += 1
    projectId = (await control.projects.create({ name: `Project ${made}`, retentionDays: 30 }, change)).id
  })
  afterAll(() => backend.close())

  describe('that merge', () => {
    it('move what was counted in every environment, and what comes from now on', async () => {
      await record(A, { count: 3, atUs: NOW_US - 2 * DAY_US })
      await record(A, { count: 2, environment: 'staging' })
      await record(B, { count: 4 })
      const rule = await merge(A, B)
      expect(rule).toMatchObject({
        kind: 'merge',
        description: `Errors like “Error ${A}” count as “Error ${B}”.`,
        createdBy: 'usr_1',
      })
      expect(await counts()).toEqual(['b   7', 'b  staging 2'])
      await record(A, { count: 10, atUs: NOW_US + 5 })
      await record(A, { environment: 'new one' })
      expect(await counts()).toEqual(['b   17', 'b  staging 2', 'b  new one 1'])
      const merged = await control.analyses.get(projectId, idOf(B))
      expect(merged).toMatchObject({ firstSeenUs: NOW_US - 2 * DAY_US, lastSeenUs: NOW_US + 5 })
      expect(merged?.episodes).toMatchObject([{ anchorUs: NOW_US - 2 * DAY_US, count: 17 }])
      expect(await control.analyses.get(projectId, idOf(A))).toEqual(merged)
    })

    it('keep the errors of both in episodes by the same rules', async () => {
      await record(A, { atUs: NOW_US - 20 * DAY_US, count: 5 })
      await record(B)
      await merge(A, B)
      const { episodes } = (await control.analyses.get(projectId, idOf(B))) ?? { episodes: [] }
      expect(episodes.map(({ began, count }) => [began, count])).toEqual([
        ['first', 5],
        ['quiet', 1],
      ])
    })

    it('lead to the end of a chain, whichever was made first', async () => {
      for (const one of [A, B, C]) await record(one)
      await merge(A, B)
      await merge(B, C)
      expect((await control.analyses.get(projectId, idOf(A)))?.fingerprint).toBe(C)
      await record(A)
      expect(await counts()).toEqual(['c   4'])
    })

    it('refuse to lead in a circle, and analyses that do not exist', async () => {
      await record(A)
      await record(B)
      await merge(A, B)
      await expect(merge(B, A)).rejects.toMatchObject({ code: 'conflict' })
      await expect(merge(B, B)).rejects.toMatchObject({ code: 'conflict' })
      await expect(merge(C, B)).rejects.toMatchObject({ code: 'not_found' })
      expect(await control.groupingRules.list(projectId)).toHaveLength(1)
    })

    it('leave what was counted when they are removed; new errors are apart again', async () => {
      await record(A)
      await record(B)
      const { id } = await merge(A, B)
      expect(await control.groupingRules.remove(projectId, id, change)).toEqual({ restored: 0 })
      expect(await control.groupingRules.remove(projectId, id, change)).toBeNull()
      expect(await control.analyses.get(projectId, idOf(A))).toBeNull()
      await record(A)
      expect(await counts()).toEqual(['b   2', 'a   1'])
      expect((await control.audit.list({ projectId, limit: 2 })).map(({ action }) => action)).toEqual([
        'grouping_rule.removed',
        'grouping_rule.added',
      ])
    })
  })

  describe('that split', () => {
    const split = (fingerprint: string) =>
      control.groupingRules.add(projectId, { kind: 'split', analysisId: idOf(fingerprint), by: 'service' }, change)

    it('leave what was counted, say so, and are told to whoever counts', async () => {
      await record(A, { count: 3 })
      const rule = await split(A)
      expect(rule.description).toBe(
        `Errors like “Error ${A}” are told apart by service; those counted before stay together.`,
      )
      expect(await control.groupingRules.splits()).toContainEqual({ projectId, fingerprint: A, by: 'service' })
      await record(A, { splitValue: 'api' })
      expect(await counts()).toEqual(['a   3', 'a api  1'])
    })

    it('refuse a second split, a merge into the whole, and a split of what others were merged into', async () => {
      for (const one of [A, B, C]) await record(one)
      await split(A)
      await expect(split(A)).rejects.toMatchObject({ code: 'conflict' })
      await expect(merge(B, A)).rejects.toMatchObject({ code: 'conflict' })
      await merge(B, C)
      await expect(split(C)).rejects.toMatchObject({ code: 'conflict' })
    })
  })

  describe('that ignore', () => {
    it('hold for matching analyses that exist and for those to come', async () => {
      await record(A, { type: 'Timeout' })
      await record(B, { type: 'Timeout', service: 'mail' })
      const rule = await control.groupingRules.add(
        projectId,
        { kind: 'ignore', type: 'Timeout', service: 'shop' },
        change,
      )
      expect(rule.description).toBe('Errors of type Timeout of shop are ignored.')
      await record(C, { type: 'Timeout' })
      const statuses = await control.analyses.list(projectId, { limit: 9, sort: 'count', state: 'ignored' }, NOW_US)
      expect(statuses.map(({ fingerprint }) => fingerprint).sort()).toEqual([A, C])
    })

    it('catch by the beginning of a title what they say before, and nothing else', async () => {
      await record(A, { title: 'no answer from cart-7' })
      await record(B, { title: 'no answering machine' })
      await record(C, { title: 'no answer from cart-8', service: 'mail' })
      const rule = { service: 'shop', titleBegins: 'no answer' }
      const preview = await control.groupingRules.wouldIgnore(projectId, rule, 5)
      expect(preview).toMatchObject({ analyses: 1, examples: [{ title: 'no answer from cart-7' }] })
      const { description } = await control.groupingRules.add(projectId, { kind: 'ignore', ...rule }, change)
      expect(description).toBe('Errors of shop whose title begins with “no answer” are ignored.')
      const ignored = await control.analyses.list(projectId, { limit: 9, sort: 'count', state: 'ignored' }, NOW_US)
      expect(ignored.map(({ fingerprint }) => fingerprint)).toEqual([A])
      const later = 'd'.repeat(A.length)
      await record(later, { title: 'no answer from cart-9' })
      const [newest] = await control.analyses.list(projectId, { limit: 1, sort: 'count', fingerprint: later }, NOW_US)
      expect(newest?.status).toBe('ignored')
    })

    it('take the beginning of a title only with a service and without a type', async () => {
      for (const [path, rule] of [
        ['service', { titleBegins: 'no answer' }],
        ['type', { titleBegins: 'no answer', service: 'shop', type: 'Timeout' }],
        ['titleBegins', { titleBegins: ' ', service: 'shop' }],
      ] as const) {
        const refused = { code: 'invalid_request', fields: [{ path }] }
        const added = control.groupingRules.add(projectId, { kind: 'ignore', ...rule }, change)
        await expect(added).rejects.toMatchObject(refused)
        await expect(control.groupingRules.wouldIgnore(projectId, rule, 5)).rejects.toMatchObject(refused)
      }
    })

    it('take the words that a title begins with however many spaces are typed between them', async () => {
      const rule = { kind: 'ignore', service: 'shop', titleBegins: ' no  answer\t' } as const
      const { description } = await control.groupingRules.add(projectId, rule, change)
      expect(description).toBe('Errors of shop whose title begins with “no answer” are ignored.')
    })

    it('refuse to ignore everything', async () => {
      await expect(control.groupingRules.add(projectId, { kind: 'ignore', type: '' }, change)).rejects.toMatchObject({
        code: 'invalid_request',
      })
    })
  })
})
