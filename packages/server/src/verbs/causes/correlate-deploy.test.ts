/** The correlation rule over timelines of deploys and errors, on both control stores, against an oracle of ten lines. */

import type { DeployStatus } from '@tidemark/wire/deploys/deploy-status'
import { SECOND_US } from '@tidemark/wire/time/units'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CommitFound } from '../../analysis/cause/correlation.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import { currentEpisode } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { repositoryWith } from '../../testing/connected-repository.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { openReading } from '../open-reading.ts'
import { createCorrelator, momentOf } from './correlate-deploy.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const START_US = NOW_MS * 1_000 - 86_400 * SECOND_US
const change = { by: 'operator', nowMs: NOW_MS }

type DeployEvent = { deploy: string; at: number; environment?: string; status?: DeployStatus; createdMs?: number }
type ErrorEvent = { error: string; at: number; environment?: string }
/** Deploys with the same name are updates of one; seconds since the start, which may be fractions. */
type Event = DeployEvent | ErrorEvent

const PROD = 'production'

/** What each kind of error must be correlated with: the name of a deploy, or null. Written down by hand. */
const TIMELINES: Record<string, { events: Event[]; expected: Record<string, string | null> }> = {
  'one deploy, then an error': {
    events: [
      { deploy: 'a', at: 10 },
      { error: 'x', at: 20 },
    ],
    expected: { 'x production': 'a' },
  },
  'an error before every deploy': {
    events: [
      { error: 'x', at: 5 },
      { deploy: 'a', at: 10 },
    ],
    expected: { 'x production': null },
  },
  'the latest of several deploys': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 2 },
      { deploy: 'c', at: 3 },
      { error: 'x', at: 4 },
    ],
    expected: { 'x production': 'c' },
  },
  'a deploy after the error does not count': {
    events: [
      { deploy: 'a', at: 1 },
      { error: 'x', at: 2 },
      { deploy: 'b', at: 3 },
    ],
    expected: { 'x production': 'a' },
  },
  'a deploy in the same second as the error counts': {
    events: [
      { deploy: 'a', at: 7 },
      { error: 'x', at: 7 },
    ],
    expected: { 'x production': 'a' },
  },
  'a deploy a microsecond after the error does not': {
    events: [
      { deploy: 'a', at: 7.000001 },
      { error: 'x', at: 7 },
    ],
    expected: { 'x production': null },
  },
  'a deploy a microsecond before the error does': {
    events: [
      { deploy: 'a', at: 6.999999 },
      { error: 'x', at: 7 },
    ],
    expected: { 'x production': 'a' },
  },
  'of two deploys in one second the later recorded': {
    events: [
      { deploy: 'a', at: 1, createdMs: 5 },
      { deploy: 'b', at: 1, createdMs: 9 },
      { error: 'x', at: 2 },
    ],
    expected: { 'x production': 'b' },
  },
  'of two deploys in one second the later recorded, whichever arrived first': {
    events: [
      { deploy: 'b', at: 1, createdMs: 9 },
      { deploy: 'a', at: 1, createdMs: 5 },
      { error: 'x', at: 2 },
    ],
    expected: { 'x production': 'b' },
  },
  'the deploy of another environment does not count': {
    events: [
      { deploy: 'a', at: 1, environment: 'staging' },
      { error: 'x', at: 2 },
    ],
    expected: { 'x production': null },
  },
  'prod is not production': {
    events: [
      { deploy: 'a', at: 1, environment: 'prod' },
      { deploy: 'b', at: 0 },
      { error: 'x', at: 2 },
    ],
    expected: { 'x production': 'b' },
  },
  'production is not prod': {
    events: [
      { deploy: 'a', at: 1 },
      { error: 'x', at: 2, environment: 'prod' },
    ],
    expected: { 'x prod': null },
  },
  'names differ by their case': {
    events: [
      { deploy: 'a', at: 1, environment: 'Production' },
      { error: 'x', at: 2 },
    ],
    expected: { 'x production': null },
  },
  'names differ by a space': {
    events: [
      { deploy: 'a', at: 1, environment: 'production ' },
      { error: 'x', at: 2 },
    ],
    expected: { 'x production': null },
  },
  'the same error in two environments has a deploy in each': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 2, environment: 'staging' },
      { error: 'x', at: 3 },
      { error: 'x', at: 3, environment: 'staging' },
    ],
    expected: { 'x production': 'a', 'x staging': 'b' },
  },
  'a failed deploy does not count': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 2, status: 'failed' },
      { error: 'x', at: 3 },
    ],
    expected: { 'x production': 'a' },
  },
  'a cancelled deploy does not count': {
    events: [
      { deploy: 'a', at: 1, status: 'cancelled' },
      { error: 'x', at: 3 },
    ],
    expected: { 'x production': null },
  },
  'a deploy that is updated to failed stops to count': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 2 },
      { error: 'x', at: 3 },
      { deploy: 'b', at: 2, status: 'failed' },
    ],
    expected: { 'x production': 'a' },
  },
  'a deploy that is updated to succeeded begins to count': {
    events: [
      { deploy: 'b', at: 2, status: 'failed' },
      { error: 'x', at: 3 },
      { deploy: 'b', at: 2 },
    ],
    expected: { 'x production': 'b' },
  },
  'a deploy whose time is corrected to after the error': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 2 },
      { error: 'x', at: 3 },
      { deploy: 'b', at: 4 },
    ],
    expected: { 'x production': 'a' },
  },
  'a deploy whose environment is corrected': {
    events: [
      { deploy: 'a', at: 1, environment: 'prod' },
      { error: 'x', at: 3 },
      { deploy: 'a', at: 1, environment: PROD },
    ],
    expected: { 'x production': 'a' },
  },
  'a deploy that arrives long after the error': {
    events: [
      { error: 'x', at: 30 },
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 29 },
    ],
    expected: { 'x production': 'b' },
  },
  'an earlier error that arrives late moves the anchor before the deploy': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 10 },
      { error: 'x', at: 12 },
      { error: 'x', at: 5 },
    ],
    expected: { 'x production': 'a' },
  },
  'a later error moves nothing': {
    events: [
      { deploy: 'a', at: 1 },
      { error: 'x', at: 5 },
      { deploy: 'b', at: 10 },
      { error: 'x', at: 12 },
    ],
    expected: { 'x production': 'a' },
  },
  'two kinds of errors have anchors of their own': {
    events: [
      { deploy: 'a', at: 1 },
      { error: 'x', at: 5 },
      { deploy: 'b', at: 10 },
      { error: 'x', at: 11 },
      { error: 'y', at: 11 },
    ],
    expected: { 'x production': 'a', 'y production': 'b' },
  },
  'a clock ahead puts the deploy after its first errors': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 130 },
      { error: 'x', at: 70 },
    ],
    expected: { 'x production': 'a' },
  },
  'a rollback is a deploy like others': {
    events: [
      { deploy: 'a', at: 1 },
      { deploy: 'b', at: 2 },
      { deploy: 'back to a', at: 3 },
      { error: 'x', at: 4 },
    ],
    expected: { 'x production': 'back to a' },
  },
  'everything late and the other way around': {
    events: [
      { error: 'x', at: 40 },
      { deploy: 'c', at: 39, status: 'failed' },
      { deploy: 'b', at: 20 },
      { error: 'x', at: 25 },
      { deploy: 'a', at: 10 },
      { deploy: 'c', at: 22 },
    ],
    expected: { 'x production': 'c' },
  },
}

/** The rule in its own words: latest succeeded, to the letter, at or before; then later made, then greater id. */
function oracle(deploys: Deploy[], environment: string, anchorUs: number): Deploy | null {
  let best: Deploy | null = null
  for (const one of deploys) {
    if (one.status !== 'succeeded' || one.environment !== environment || one.deployedAtUs > anchorUs) continue
    const keys = [one, best ?? one].map((d) => [d.deployedAtUs, Date.parse(d.createdAt), d.id] as const)
    const [[at, made, id], [bestAt, bestMade, bestId]] = keys as [(typeof keys)[0], (typeof keys)[0]]
    const isLater = at !== bestAt ? at > bestAt : made !== bestMade ? made > bestMade : id >= bestId
    if (best === null || isLater) best = one
  }
  return best
}

describe.each(controlBackends())('correlation on $name', (backend) => {
  let control: Control
  let names = 0
  let project: ProjectWithSettings

  beforeAll(async () => {
    if (backend.unavailable === undefined) control = await backend.open()
  })
  beforeEach(async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    await newProject()
  })
  afterAll(() => backend.close())

  async function newProject() {
    names += 1
    const { id } = await control.projects.create({ name: `Project ${names}`, retentionDays: 30 }, change)
    project = (await control.projects.get(id))!
  }

  async function play(events: readonly Event[]): Promise<void> {
    for (const [index, event] of events.entries()) {
      const atUs = START_US + Math.round(event.at * SECOND_US)
      const { environment = PROD } = event
      if ('deploy' in event) {
        const { deploy: sha, status, createdMs = 0 } = event
        const input = { sha, environment, deployedAtUs: atUs, status, externalId: sha }
        await control.deploys.record(project.id, input, NOW_MS + createdMs)
      } else {
        const fingerprint = event.error.repeat(16).replaceAll('x', 'a').replaceAll('y', 'b')
        const group = errorGroup(project.id, { atUs, environment, fingerprint, title: event.error })
        await control.analyses.record([{ segmentId: `seg_${project.id}_${index}`, groups: [group] }], NOW_MS)
      }
    }
  }

  async function correlated(commit: CommitFound = null) {
    const correlator = createCorrelator({ control, repository: repositoryWith(commit) }, project.id)
    const analyses = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 100 }, NOW_MS * 1_000)
    return Promise.all(
      analyses.map(async (analysis) => ({ analysis, correlation: await correlator.of(momentOf(analysis)) })),
    )
  }

  async function answers(): Promise<Record<string, string | null>> {
    const entries = (await correlated()).map(({ analysis, correlation }) => [
      `${analysis.title} ${analysis.environment}`,
      correlation.source === 'recorded' ? correlation.deploy.sha : null,
    ])
    return Object.fromEntries(entries)
  }

  it.each(Object.entries(TIMELINES))('%s', async (_, { events, expected }) => {
    await play(events)
    expect(await answers()).toEqual(expected)
  })

  it('does not depend on the order in which deploys and errors arrive', async () => {
    const final = Object.values(TIMELINES).filter(({ events }) => {
      const deploys = events.filter((event) => 'deploy' in event).map((event) => 'deploy' in event && event.deploy)
      return new Set(deploys).size === deploys.length
    })
    expect(final.length).toBeGreaterThan(15)
    for (const { events, expected } of final) {
      await newProject()
      // Those recorded in one millisecond are told apart by id, hence by their order.
      await play(events.map((event, at) => ('deploy' in event ? { createdMs: at, ...event } : event)).toReversed())
      expect(await answers(), JSON.stringify(events)).toEqual(expected)
    }
  })

  it('is what the rule says for every timeline', async () => {
    const environment = fc.constantFrom('production', 'prod', 'Production')
    const at = fc.integer({ min: 0, max: 8 })
    const event = fc.oneof(
      fc.record({
        deploy: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        at,
        environment,
        status: fc.constantFrom<DeployStatus>('succeeded', 'succeeded', 'failed', 'cancelled'),
        createdMs: fc.integer({ min: 0, max: 2 }),
      }),
      fc.record({ error: fc.constantFrom('x', 'y'), at, environment }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 14 }), async (events) => {
        await newProject()
        await play(events)
        const deploys = await control.deploys.list(project.id, { limit: 100 })
        for (const { analysis, correlation } of await correlated()) {
          const { anchorUs } = currentEpisode(analysis)
          const errors = events.filter(
            (one) => 'error' in one && one.error === analysis.title && one.environment === analysis.environment,
          )
          expect(anchorUs).toBe(START_US + Math.min(...errors.map((one) => one.at)) * SECOND_US)
          const expected = oracle(deploys, analysis.environment, anchorUs)
          if (expected === null) expect(correlation.source).toBeNull()
          else {
            const elapsedUs = anchorUs - expected.deployedAtUs
            expect(correlation).toEqual({ source: 'recorded', deploy: expected, elapsedUs })
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('takes the commit of that time while no deploy was recorded, and the deploy from the first one on', async () => {
    const committedAtUs = START_US + 5 * SECOND_US
    const commit = { sha: 'c0ffee1', committedAtUs, branch: 'main', subject: 'Round prices', author: 'ada' }
    await play([{ error: 'x', at: 20 }])
    const [inferred] = await correlated(commit)
    expect(inferred?.correlation).toEqual({ source: 'inferred', commit, elapsedUs: 15 * SECOND_US })
    await play([{ deploy: 'a', at: 19 }])
    const [recorded] = await correlated(commit)
    expect(recorded?.correlation).toMatchObject({ source: 'recorded', elapsedUs: SECOND_US })
  })

  it('says why there is none', async () => {
    const why = async () => (await correlated()).map(({ correlation }) => correlation.source ?? correlation.reason)[0]
    await play([{ error: 'x', at: 20 }])
    expect(await why()).toBe('no deploy was recorded yet')
    await play([{ deploy: 'a', at: 1, environment: 'prod' }])
    expect(await why()).toBe('no deploy in production; 1 deploy in prod; names match exactly')
    await play([
      { deploy: 'b', at: 7_220 },
      { deploy: 'c', at: 9_000 },
    ])
    expect(await why()).toBe('the first deploy in production came 2 h after this error')
    const stillCopied = await correlated({ reason: 'being copied' })
    expect(stillCopied[0]?.correlation).toMatchObject({
      reason: expect.stringMatching(/: it is waiting for the service to copy it, try again in a moment$/),
    })
  })

  it('follows an analysis into its next episode', async () => {
    const [beforeUs, afterUs] = [NOW_MS * 1_000 - 60 * SECOND_US, NOW_MS * 1_000 + 60 * SECOND_US]
    const errorAt = (atUs: number) => ({
      segmentId: `seg_${project.id}_${atUs}`,
      groups: [errorGroup(project.id, { atUs })],
    })
    const deployAt = (sha: string, deployedAtUs: number) =>
      control.deploys.record(project.id, { sha, environment: PROD, deployedAtUs }, NOW_MS)
    await deployAt('old', beforeUs - SECOND_US)
    await control.analyses.record([errorAt(beforeUs)], NOW_MS)
    const [first] = await correlated()
    expect(first?.correlation).toMatchObject({ deploy: { sha: 'old' } })
    await control.analyses.setStatuses(project.id, [first!.analysis.id], 'resolved', change)
    await deployAt('new', afterUs - SECOND_US)
    await control.analyses.record([errorAt(afterUs)], NOW_MS)
    const [second] = await correlated()
    expect(second).toMatchObject({
      analysis: { status: 'open' },
      correlation: { deploy: { sha: 'new' }, elapsedUs: SECOND_US },
    })
  })

  it('is answered with the evidence that needs no records when the log store is away', async () => {
    await play([
      { deploy: 'a', at: 1, status: 'failed' },
      { deploy: 'b', at: 2 },
      { error: 'x', at: 3 },
    ])
    const away = new Proxy({}, { get: () => async () => Promise.reject(storeAway()) })
    const reading = openReading({
      control,
      logStore: { project: () => away as never },
      secretKey: 'secret',
      publicUrl: 'http://localhost:4700',
      now: () => NOW_MS,
    })
    const caller: Caller = { kind: 'key', keyId: 'key_1', keyKind: 'read', project }
    const listed = await reading.listAnalyses(caller, { from: '-2d' })
    expect(listed.analyses).toMatchObject([{ correlatedDeploy: { sha: 'b', elapsedSeconds: 1 }, trend: [] }])
    const { analysis } = await reading.getAnalysis(caller, { id: listed.analyses[0]!.id })
    expect(analysis).toMatchObject({
      correlatedDeploy: { sha: 'b' },
      failedDeploys: [{ sha: 'a' }],
      rates: null,
      samples: [],
    })
    expect(analysis.summary).toContain('The log store did not answer')
  })
})

function storeAway(): AppError {
  return new AppError('engine_restarting', 'The log store is restarting. Try again.')
}
