import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { analysisId } from '../../analysis/group/analysis-id.ts'
import type { ProjectId } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import type { Control } from '../open.ts'
import type { IgnoringRule } from './decide-rule.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const NOW_US = NOW * 1_000
const HOUR = 3_600_000
const A = '00000000000000aa'
const B = '00000000000000bb'
const C = '00000000000000cc'

describe.each(controlBackends())('what a rule made ignored, on $name', (backend) => {
  let control: Control
  let made = 0
  let projectId: ProjectId

  const by = (who: string, hours = 0) => ({ by: who, nowMs: NOW + hours * HOUR })
  const record = (
    fingerprint: string,
    { hours = 0, ...some }: { hours?: number; type?: string; service?: string } = {},
  ) => {
    made += 1
    const groups = [errorGroup(projectId, { fingerprint, atUs: NOW_US + hours * HOUR * 1_000, ...some })]
    return control.analyses.record([{ segmentId: `seg_${made}`, groups }], NOW + hours * HOUR)
  }
  const idOf = (fingerprint: string) => analysisId(projectId, 'production', { fingerprint, splitValue: '' })
  const get = async (fingerprint: string) => (await control.analyses.get(projectId, idOf(fingerprint)))!
  const statuses = async (...fingerprints: string[]) =>
    (await Promise.all(fingerprints.map(get))).map(({ status }) => status)
  const settle = (fingerprint: string, status: 'open' | 'resolved' | 'ignored', hours: number) =>
    control.analyses.setStatuses(projectId, [idOf(fingerprint)], status, by('usr_ada', hours))
  const ignore = async (rule: IgnoringRule) =>
    (await control.groupingRules.add(projectId, { kind: 'ignore', ...rule }, by('usr_owner', 2))).id
  const restore = (id: string) => control.groupingRules.remove(projectId, id, by('usr_owner', 9), { restore: true })
  const merge = async (from: string, into: string) =>
    control.groupingRules.add(projectId, { kind: 'merge', analysisId: idOf(from), intoAnalysisId: idOf(into) }, by('o'))

  beforeAll(async () => {
    if (backend.unavailable === undefined) control = await backend.open()
  })
  beforeEach(async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    made += 1
    projectId = (await control.projects.create({ name: `Project ${made}`, retentionDays: 30 }, by('operator'))).id
  })
  afterAll(() => backend.close())

  it('has the state again that it had before, and what started ignored is open', async () => {
    for (const one of [A, B, C]) await record(one)
    await settle(B, 'resolved', 1)
    await settle(C, 'ignored', 1)
    const before = [await get(A), await get(B), await get(C)]
    const rule = await ignore({ service: 'shop' })
    const later = 'd'.repeat(16)
    await record(later)
    expect(await statuses(A, B, C, later)).toEqual(['ignored', 'ignored', 'ignored', 'ignored'])
    expect(await control.groupingRules.countIgnored(projectId)).toEqual(new Map([[rule, 3]]))

    expect(await restore(rule)).toEqual({ restored: 3 })
    expect([await get(A), await get(B), await get(C)]).toEqual(before)
    expect(await get(later)).toMatchObject({ status: 'open', stateChangedAt: null, stateChangedBy: null })
    expect(await control.groupingRules.countIgnored(projectId)).toEqual(new Map())
    const [entry] = await control.audit.list({ projectId, limit: 1 })
    expect(entry).toMatchObject({ action: 'grouping_rule.removed', details: { rule, restored: 3 } })
  })

  it('stays ignored when the rule is removed without a word, for good', async () => {
    await record(A)
    const rule = await ignore({ type: 'Error' })
    expect(await control.groupingRules.remove(projectId, rule, by('usr_owner', 3))).toEqual({ restored: 0 })
    expect(await statuses(A)).toEqual(['ignored'])
    expect(await control.groupingRules.countIgnored(projectId)).toEqual(new Map())
    const [entry] = await control.audit.list({ projectId, limit: 1 })
    expect(entry?.details).not.toHaveProperty('restored')
  })

  it('keeps what somebody has decided since', async () => {
    for (const one of [A, B, C]) await record(one)
    const rule = await ignore({ type: 'Error' })
    await settle(A, 'resolved', 3)
    await settle(B, 'open', 3)
    await settle(B, 'ignored', 4)
    await settle(C, 'ignored', 4)
    const before = [await get(A), await get(B), await get(C)]
    expect(before.map(({ status }) => status)).toEqual(['resolved', 'ignored', 'ignored'])
    expect(await restore(rule)).toEqual({ restored: 0 })
    expect([await get(A), await get(B), await get(C)]).toEqual(before)
  })

  it('that was resolved and had errors since is open, because it came back', async () => {
    await record(A)
    await settle(A, 'resolved', 1)
    const rule = await ignore({ type: 'Error' })
    await record(A, { hours: 5 })
    expect(await restore(rule)).toEqual({ restored: 1 })
    const { status, resolvedAtUs, stateChangedAt, stateChangedBy } = await get(A)
    expect({ status, resolvedAtUs, stateChangedBy }).toEqual({
      status: 'open',
      resolvedAtUs: null,
      stateChangedBy: null,
    })
    expect(stateChangedAt).toBe(new Date(NOW + 9 * HOUR).toISOString())
  })

  it('is ignored by another rule that catches it too, until that one is removed as well', async () => {
    await record(A, { type: 'Timeout' })
    await record(B, { type: 'Timeout', service: 'mail' })
    const narrow = await ignore({ type: 'Timeout', service: 'shop' })
    const wide = await ignore({ type: 'Timeout' })
    expect(await control.groupingRules.countIgnored(projectId)).toEqual(
      new Map([
        [narrow, 1],
        [wide, 1],
      ]),
    )
    expect(await restore(narrow)).toEqual({ restored: 0 })
    expect(await statuses(A, B)).toEqual(['ignored', 'ignored'])
    expect(await control.groupingRules.countIgnored(projectId)).toEqual(new Map([[wide, 2]]))
    expect(await restore(wide)).toEqual({ restored: 2 })
    expect(await statuses(A, B)).toEqual(['open', 'open'])
  })

  it('goes with the analysis that it is merged into, which keeps its own state', async () => {
    await record(A, { type: 'Timeout' })
    await record(B)
    const rule = await ignore({ type: 'Timeout' })
    await merge(A, B)
    expect(await control.groupingRules.countIgnored(projectId)).toEqual(new Map())
    expect(await restore(rule)).toEqual({ restored: 0 })
    expect(await statuses(B)).toEqual(['open'])
  })

  it('takes in what is merged into it, and comes back with that', async () => {
    await record(A)
    await record(B, { type: 'Timeout' })
    const rule = await ignore({ type: 'Timeout' })
    await merge(A, B)
    expect(await statuses(B)).toEqual(['ignored'])
    expect(await restore(rule)).toEqual({ restored: 1 })
    expect(await get(A)).toMatchObject({ fingerprint: B, status: 'open', count: 2 })
  })

  it('comes back where it continues under the id of another', async () => {
    await record(A, { type: 'Timeout' })
    const rule = await ignore({ type: 'Timeout' })
    made += 1
    const elsewhere = errorGroup(projectId, { fingerprint: B, environment: 'staging', atUs: NOW_US })
    await control.analyses.record([{ segmentId: `seg_${made}`, groups: [elsewhere] }], NOW)
    const intoAnalysisId = analysisId(projectId, 'staging', { fingerprint: B, splitValue: '' })
    await control.groupingRules.add(projectId, { kind: 'merge', analysisId: idOf(A), intoAnalysisId }, by('o'))
    expect(await statuses(B)).toEqual(['ignored'])
    expect(await restore(rule)).toEqual({ restored: 1 })
    expect(await statuses(B)).toEqual(['open'])
  })

  it('is forgotten with the project', async () => {
    await record(A)
    await ignore({ type: 'Error' })
    await control.analyses.purge(projectId)
    expect(await control.groupingRules.countIgnored(projectId)).toEqual(new Map())
  })
})
