/** Causes and correlated deploys, over a real control store and records in memory, the same at every door. */

import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { isCorrelatedCause } from '@tidemark/wire/analyses/is-correlated-cause'
import type { DeployStatus } from '@tidemark/wire/deploys/deploy-status'
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommitFound } from '../../analysis/cause/correlation.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { Caller } from '../../model/caller.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { repositoryWith } from '../../testing/connected-repository.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../open-reading.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const NOW_US = NOW_MS * 1_000
const change = { by: 'operator', nowMs: NOW_MS }
const backend = controlBackends()[0]!
const ENVIRONMENTS = ['production', 'staging', 'test'] as const
const SHAS = ['aaaaaaa1', 'bbbbbbb2', 'v1.4']

let control: Control
let project: ProjectWithSettings
let made = 0

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())

/** Times in minutes before now. */
type Kind = {
  environment: string
  hours: number[]
  release: string
  isDefaulted: boolean
  host: string
}
type World = {
  kinds: Kind[]
  deploys: { environment: string; ago: number; sha: string; status: DeployStatus }[]
  heartbeats: { environment: string; ago: number }[]
  resolved: number | null
  rule: 'merge' | 'split' | null
  commit: 'near' | 'far' | null
}

async function newProject(): Promise<void> {
  made += 1
  const { id } = await control.projects.create({ name: `Project ${made}`, retentionDays: 10 }, change)
  project = (await control.projects.get(id))!
}

const fingerprint = (index: number) => String(index + 1).padStart(16, '0')

async function play({ kinds, deploys, heartbeats, resolved, rule, commit }: World) {
  await newProject()
  for (const { ago, ...deploy } of deploys) {
    await control.deploys.record(project.id, { ...deploy, deployedAtUs: NOW_US - ago * MINUTE_US }, NOW_MS)
  }
  const errors = kinds.flatMap(({ hours, ...kind }, index) =>
    hours.map((ago) => ({ ...kind, fingerprint: fingerprint(index), timeUs: NOW_US - Math.round(ago * HOUR_US) })),
  )
  errors.sort((a, b) => a.timeUs - b.timeUs)
  let isRuled = false
  for (const [at, one] of errors.entries()) {
    const { environment, timeUs, host } = one
    const splitValue = isRuled && rule === 'split' && one.fingerprint === fingerprint(0) ? host : ''
    const plain = errorGroup(project.id, { environment, fingerprint: one.fingerprint, atUs: timeUs, splitValue })
    const group = { ...plain, sample: { ...plain.sample, environmentDefaulted: one.isDefaulted } }
    await control.analyses.record([{ segmentId: `seg_${project.id}_${at}`, groups: [group] }], NOW_MS)
    if (at === resolved) {
      const [first] = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 1 }, NOW_US)
      const resolvedAt = { by: 'operator', nowMs: Math.floor(timeUs / 1_000) + 1 }
      await control.analyses.setStatuses(project.id, [first!.id], 'resolved', resolvedAt)
    }
    if (rule === 'split' && !isRuled) isRuled = await makeRule(rule)
  }
  if (rule === 'merge') await makeRule(rule)
  const stored = (some: Partial<StoredRecord>, at: number): StoredRecord => ({
    ...sampleRecord(),
    id: `log_${at}`,
    pattern: fingerprint(9),
    fingerprint: null,
    receivedMs: NOW_MS,
    ...some,
  })
  const records = [
    ...errors.map(({ isDefaulted: _, ...one }, at) => stored(one, at)),
    ...heartbeats.map(({ environment, ago }, at) =>
      stored({ environment, timeUs: NOW_US - ago * MINUTE_US }, errors.length + at),
    ),
  ]
  const committedAtUs = NOW_US - (commit === 'near' ? 30 * HOUR_US : 300 * HOUR_US)
  const found = { sha: 'c0ffee1', committedAtUs, branch: 'main', subject: 'Round prices', author: 'ada' }
  const memory = recordsInMemory(records)
  const logs = unhurried(memory.logs)
  return { ...open(logs, commit === null ? null : found), asked: memory.asked }
}

/** Answers when everything that is ready to ask has asked, as a store does that takes its time. */
function unhurried(logs: ProjectLogs): ProjectLogs {
  type Ask = (...asked: unknown[]) => Promise<unknown>
  return new Proxy(logs, {
    get:
      (target, name) =>
      async (...asked: unknown[]) => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        return (target[name as keyof ProjectLogs] as Ask)(...asked)
      },
  })
}

async function makeRule(rule: World['rule']): Promise<boolean> {
  const all = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 100 }, NOW_US)
  const [one, other] = [all.find(isKind(0)), all.find(isKind(1))]
  if (rule === 'merge' && one && other) {
    const merge = { kind: 'merge', analysisId: one.id, intoAnalysisId: other.id } as const
    await control.groupingRules.add(project.id, merge, change)
  }
  if (rule === 'split' && one) {
    await control.groupingRules.add(project.id, { kind: 'split', analysisId: one.id, by: 'host' }, change)
  }
  return one !== undefined
}

const isKind = (index: number) => (one: { fingerprint: string }) => one.fingerprint === fingerprint(index)

function open(logs: ProjectLogs, commit: CommitFound = null) {
  const reading = openReading({
    control,
    logStore: { project: () => logs },
    repository: repositoryWith(commit),
    secretKey: 'secret',
    publicUrl: 'http://localhost:4700',
    now: () => NOW_MS,
  })
  const caller: Caller = { kind: 'key', keyId: 'key_1', keyKind: 'read', project }
  return { reading, caller }
}

const environment = fc.constantFrom(...ENVIRONMENTS)
const minutesAgo = fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 16 * 24 * 60 }))
const world: fc.Arbitrary<World> = fc.record({
  kinds: fc.array(
    fc.record({
      environment,
      hours: fc.array(fc.oneof(fc.constantFrom(0.05, 0.2, 1.5, 26), fc.double({ min: 0.01, max: 380, noNaN: true })), {
        minLength: 1,
        maxLength: 6,
      }),
      release: fc.constantFrom('', ...SHAS),
      isDefaulted: fc.boolean(),
      host: fc.constantFrom('', 'web-1'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  deploys: fc.array(
    fc.record({
      environment,
      ago: minutesAgo,
      sha: fc.constantFrom(...SHAS),
      status: fc.constantFrom<DeployStatus>('succeeded', 'succeeded', 'succeeded', 'failed', 'cancelled'),
    }),
    { maxLength: 6 },
  ),
  heartbeats: fc.array(fc.record({ environment, ago: minutesAgo }), { maxLength: 8 }),
  resolved: fc.option(fc.integer({ min: 0, max: 4 })),
  rule: fc.constantFrom('merge', 'split', null, null),
  commit: fc.constantFrom('near', 'far', null),
})

describe('the cause of an analysis', () => {
  it('is the same in the list and in the detail, with the same evidence, whatever happened and whatever is asked for', async () => {
    const [sentences, levels, sources, kinds] = [0, 0, 0, 0].map(() => new Set<string>()) as Sets
    const seen = { sentences, levels, sources, kinds }
    await fc.assert(
      fc.asyncProperty(world, async (events) => {
        const { reading, caller } = await play(events)
        for (const state of [undefined, 'resolved'] as const) {
          const { analyses } = await reading.listAnalyses(caller, { from: '-30d', limit: 500, state })
          for (const { id, summary, correlatedDeploy, correlatedDeployReason, likelyCause, activity } of analyses) {
            const include = [undefined, ['stack'], ['rates']] as const
            for (const parts of include) {
              const { analysis } = await reading.getAnalysis(caller, { id, ...(parts && { include: [...parts] }) })
              expect(analysis).toMatchObject({ correlatedDeployReason, likelyCause, activity })
              expect(withoutCommits(analysis.correlatedDeploy)).toEqual(correlatedDeploy)
            }
            seen.kinds.add(likelyCause.kind)
            const isOther = !isCorrelatedCause({ likelyCause, correlatedDeploy })
            const isDeploy = ['deploy', 'commit', 'unknown'].includes(likelyCause.kind)
            const isTold = !isDeploy && likelyCause.confidence !== 'low' && isOther
            expect(summary.startsWith(`Likely cause: ${likelyCause.title} (`)).toBe(isTold)
            expect(summary.startsWith('No likely cause: ')).toBe(likelyCause.kind === 'unknown')
            if (correlatedDeploy === null) continue
            const { confidence, source, evidenceFor, evidenceAgainst } = correlatedDeploy
            seen.levels.add(confidence)
            seen.sources.add(source)
            for (const text of [...evidenceFor, ...evidenceAgainst]) seen.sentences.add(text.replaceAll(/\d+/g, 'n'))
          }
        }
      }),
      // Always the same worlds: what they make the evidence say is part of the test.
      { numRuns: 60, seed: 1 },
    )
    // Times alone never make it certain.
    expect([...seen.levels].sort()).toEqual(['low', 'medium'])
    expect([...seen.sources].sort()).toEqual(['inferred', 'recorded'])
    const said = [...seen.sentences].join('\n')
    for (const words of ['came only', 'never seen', 'not new', 'Nothing was logged']) {
      expect(said).toContain(words)
    }
    for (const words of ['not deployed', 'named no environment', 'come from release']) expect(said).toContain(words)
    expect([...seen.kinds]).toEqual(expect.arrayContaining(['deploy', 'unknown']))
  }, 120_000)
})

type Sets = [Set<string>, Set<string>, Set<string>, Set<string>]

/** Only the detail has the commits of the deploy. */
function withoutCommits(deploy: NonNullable<AnalysisDetail['correlatedDeploy']> | null) {
  if (deploy === null) return null
  const { commits: _, ...rest } = deploy
  return rest
}

const ONE_DEPLOY: World = {
  kinds: [{ environment: 'production', hours: [0.4, 0.2], release: 'aaaaaaa1', isDefaulted: false, host: '' }],
  deploys: [{ environment: 'production', ago: 30, sha: 'aaaaaaa1', status: 'succeeded' }],
  heartbeats: [{ environment: 'production', ago: 40 }],
  resolved: null,
  rule: null,
  commit: null,
}

describe('a list of analyses', () => {
  it('asks the log store as often for many analyses as for one', async () => {
    const questions = async (kinds: Kind[]) => {
      const { reading, caller, asked } = await play({ ...ONE_DEPLOY, kinds })
      const { analyses } = await reading.listAnalyses(caller, {})
      expect(analyses).toHaveLength(kinds.length)
      return [...asked].sort()
    }
    const [kind] = ONE_DEPLOY.kinds
    const often = { ...kind!, hours: [0.4, 0.38, 0.36, 0.34, 0.32, 0.3] }
    const all = ['errorBuckets', 'errorSpans', 'profiles', 'recordSpans', 'series', 'startRecords', 'valueSpans']
    expect(await questions([often])).toEqual(all)
    expect(await questions(new Array(30).fill(often))).toEqual(all)
    // One that has nothing to compare does not hurry ahead of the others with its last question.
    const rare = { ...kind!, hours: [0.4] }
    expect(await questions([often, rare, often])).toEqual(all)
  })

  it('says with numbers what the detail says', async () => {
    const { reading, caller } = await play(ONE_DEPLOY)
    const { analyses } = await reading.listAnalyses(caller, {})
    expect(analyses[0]?.correlatedDeploy).toMatchObject({
      // All errors come from its release, which says nothing: no other one was running.
      confidence: 'medium',
      evidenceFor: ['In shop the first error came 6 min after the deploy.', 'It was never seen before the deploy.'],
      evidenceAgainst: [],
    })
  })

  it('says that its causes rest on deploys alone while the log store is away', async () => {
    await play(ONE_DEPLOY)
    const gone = async () => Promise.reject(new AppError('engine_restarting', 'The log store is restarting.'))
    const { reading, caller } = open(new Proxy({} as ProjectLogs, { get: () => gone }))
    const { analyses, warnings } = await reading.listAnalyses(caller, {})
    expect(analyses[0]?.correlatedDeploy?.evidenceFor).toEqual([
      'In shop the first error came 6 min after the deploy.',
      'It was never seen before the deploy.',
    ])
    expect(warnings).toEqual([
      {
        message:
          'The log store did not answer, so each cause rests on times, deploys and commits alone: try again in a moment.',
      },
    ])
  })
})
