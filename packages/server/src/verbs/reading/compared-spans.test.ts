import type { CompareInput } from '@tidemark/wire/reading/compare'
import { describe, expect, it } from 'vitest'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { comparedSpans } from './compared-spans.ts'
import type { ReadingParts } from './reading-parts.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const project = { id: 'prj_a', retentionDays: 30 } as unknown as ProjectWithSettings

/** Deployed so many minutes ago. */
const deploy = (id: string, minutesAgo: number, status = 'succeeded') =>
  ({ id, environment: 'production', deployedAtUs: (NOW_MS - minutesAgo * 60_000) * 1_000, status }) as Deploy

async function spansOf(input: CompareInput, ...deploys: Deploy[]) {
  const parts = {
    control: {
      deploys: {
        get: async (_: string, id: string) => deploys.find((one) => one.id === id) ?? null,
        next: async (of: Deploy) => deploys.filter(({ deployedAtUs }) => deployedAtUs > of.deployedAtUs).at(-1) ?? null,
      },
    },
    now: () => NOW_MS,
  } as unknown as ReadingParts
  const { range, base, terms, warnings } = await comparedSpans(parts, project, input)
  const times = [base.fromUs, base.toUs, range.fromUs, range.toUs].map((us) => formatRfc3339(us).slice(11, 16))
  return { times, terms: terms.length, warnings: warnings.map(({ message }) => message) }
}

describe('the windows that were asked for', () => {
  it('are taken as they are', async () => {
    const { times } = await spansOf({ from: '-1h', to: 'now', baseFrom: '-5h', baseTo: '-3h' })
    expect(times).toEqual(['07:00', '09:00', '11:00', '12:00'])
  })

  it('have as their base the time just before, as long, when there is none', async () => {
    expect((await spansOf({ from: '-1h' })).times).toEqual(['10:00', '11:00', '11:00', '12:00'])
    expect((await spansOf({ to: '-2h', from: '-3h' })).times).toEqual(['08:00', '09:00', '09:00', '10:00'])
  })

  it('may have a base that is later: a time when all was well again', async () => {
    const { times } = await spansOf({ from: '-3h', to: '-2h', baseFrom: '-1h', baseTo: 'now' })
    expect(times).toEqual(['11:00', '12:00', '09:00', '10:00'])
  })

  it.each<[string, CompareInput, string[], RegExp]>([
    ['reversed', { from: '-1h', to: '-2h' }, ['from'], /^from: .* is not before/],
    ['with a reversed base', { from: '-1h', baseFrom: '-2h', baseTo: '-3h' }, ['baseFrom'], /^baseFrom: /],
    ['with a base that is no time', { baseFrom: '-2d', baseTo: 'soon' }, ['baseTo'], /^baseTo: .*For example/],
    ['with half a base', { baseFrom: '-2d' }, ['baseTo'], /give both ends of the base, or neither/],
    ['that overlap', { from: '-2h', baseFrom: '-3h', baseTo: '-1h' }, ['baseFrom', 'baseTo'], /let one end where/],
    ['beside a deploy', { deployId: 'dep_1', from: '-1h', baseTo: '-1h' }, ['deployId'], /leave out from, to/],
  ])('are refused when %s, with what to do', async (_, input, paths, message) => {
    const refused = await spansOf(input).catch((error) => error)
    expect([refused.code, refused.fields.map(({ path }: { path: string }) => path)]).toEqual(['invalid_request', paths])
    expect(refused.message).toMatch(message)
  })
})

describe('the windows around a deploy', () => {
  it('are as long as it has been running, and only of its environment', async () => {
    const found = await spansOf({ deployId: 'dep_1' }, deploy('dep_1', 20))
    expect(found).toEqual({ times: ['11:20', '11:40', '11:40', '12:00'], terms: 1, warnings: [] })
  })

  it('end with the next deploy, and after an hour', async () => {
    const replaced = await spansOf({ deployId: 'dep_1' }, deploy('dep_2', 50), deploy('dep_1', 60))
    expect(replaced.times).toEqual(['10:50', '11:00', '11:00', '11:10'])
    expect((await spansOf({ deployId: 'dep_1' }, deploy('dep_1', 600))).times).toEqual([
      '01:00',
      '02:00',
      '02:00',
      '03:00',
    ])
  })

  it('are five minutes at least, and say when that is longer than it ran', async () => {
    const young = await spansOf({ deployId: 'dep_1' }, deploy('dep_1', 2))
    expect(young.times).toEqual(['11:53', '11:58', '11:58', '12:03'])
    expect(young.warnings).toEqual(['The deploy has been running for only 2 min: try again later.'])
    const replaced = await spansOf({ deployId: 'dep_1' }, deploy('dep_2', 57), deploy('dep_1', 60))
    expect(replaced.times.slice(2)).toEqual(['11:00', '11:05'])
    expect(replaced.warnings).toEqual([
      'The deploy ran for 3 min, so the window also holds records of the one after it.',
    ])
  })

  it('say of a deploy that failed that another one ran', async () => {
    const { warnings } = await spansOf({ deployId: 'dep_1' }, deploy('dep_1', 20, 'failed'))
    expect(warnings).toEqual(['This deploy failed: what ran then is the one before it.'])
  })

  it('are none of a deploy that there is not, or that went elsewhere', async () => {
    await expect(spansOf({ deployId: 'dep_9' })).rejects.toMatchObject({
      code: 'not_found',
      fields: [{ path: 'deployId' }],
    })
    await expect(spansOf({ deployId: 'dep_1', environment: 'staging' }, deploy('dep_1', 20))).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'environment' }],
    })
  })
})
