/** Whatever a small budget takes from an answer is said in its notes: what is missing is found by comparing answers. */

import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { isObject } from '@tidemark/wire/is-object'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { analysisOf } from '../../testing/analysis.ts'
import { type FakeReading, fakeReading } from '../../testing/reading.ts'
import { commitOf, deployOf, logRow, NOW_MS, readCaller } from '../../testing/reading-rows.ts'
import type { Arguments } from '../tool-error.ts'
import { TOOLS } from '../tools.ts'

const BUDGETS = [1_000, 1_300, 1_700, 2_200, 3_000, 4_000, 5_000, 7_000, 10_000, 14_000]
const url = `https://ci.example/${'r'.repeat(300)}`
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

const deploys = times(12, (index) => deployOf(index, { url, message: 'm'.repeat(200) }))
const attributes = Object.fromEntries(times(30, (at) => [`a${at}`, 'value']))
const records = times(30, (index) => logRow(index, { service: `service-${index}-${'s'.repeat(90)}`, attributes }))
const commits = { step: 'forward' as const, summary: '30 commits', total: 30, commits: times(30, (at) => commitOf(at)) }
const valued = (name: string) => times(20, (at) => ({ value: `${name}-${at}-${'v'.repeat(60)}`, count: 1 }))

function largeAnalysis(index: number): AnalysisDetail {
  const one = analysisOf(index)
  const said = times(4, (at) => `Sentence ${at}. ${'e'.repeat(60)}`)
  const by = { at: one.lastSeen, by: 'Ada' }
  return {
    ...one,
    likelyCause: {
      ...one.likelyCause,
      ...{ evidenceFor: said, evidenceAgainst: said, rivals: times(4, () => one.likelyCause.rivals[0]!) },
    },
    correlatedDeploy: { ...one.correlatedDeploy!, url, evidenceFor: said, evidenceAgainst: said, isRollback: true },
    suspects: times(6, () => one.suspects[0]!),
    standouts: times(6, () => ({ ...one.standouts[0]!, query: 'q'.repeat(300) })),
    failedDeploys: deploys.slice(0, 6),
    occurrences: { ...one.occurrences, deploys: deploys.slice(6) },
    services: valued('service'),
    hosts: valued('host'),
    releases: valued('release'),
    before: { by: 'trace', rows: times(12, (at) => logRow(at + 40)) },
    stack: times(2, (at) => ({ ...one.stack[0]!, frames: times(40, () => one.stack[0]!.frames[at]!) })),
    episodes: times(20, () => one.episodes[0]!),
    isSourceMapped: true,
    notes: { assignee: 'Ada', ticket: url, comments: 8 },
    discussion: {
      assignee: { personId: 'usr_1', name: 'Ada', ...by },
      ticket: { url, ...by },
      comments: times(8, (at) => ({
        ...{
          id: `com_${at}`,
          authorId: 'usr_1',
          author: 'Ada',
          createdAt: one.lastSeen,
          editedAt: null,
          text: 'Seen.',
        },
      })),
    },
  }
}

/** Which words tell of what may be missing, by its place in the answer. */
const LINKS = /long links and queries are left out/
const TOLD: Record<string, RegExp> = {
  'analysis.correlatedDeploy.commits': /commits?/,
  'analysis.correlatedDeploy.commits.commits': /commits?/,
  'analysis.correlatedDeploy.commits.commits.paths': /paths/,
  'analysis.correlatedDeploy.evidenceAgainst': /evidence/,
  'analysis.correlatedDeploy.evidenceFor': /evidence/,
  'analysis.correlatedDeploy.url': LINKS,
  'analysis.before': /earlier records?/,
  'analysis.before.rows': /earlier records?/,
  'analysis.discussion': /comments?/,
  'analysis.discussion.comments': /comments?/,
  'analysis.discussion.ticket': LINKS,
  'analysis.episodes': /episodes?/,
  'analysis.failedDeploys': /failed deploys?/,
  'analysis.failedDeploys.url': LINKS,
  'analysis.hosts': /hosts?/,
  'analysis.likelyCause.evidenceAgainst': /evidence/,
  'analysis.likelyCause.evidenceFor': /evidence/,
  'analysis.likelyCause.rivals': /rivals?/,
  'analysis.notes': /assignee, ticket/,
  'analysis.notes.ticket': LINKS,
  'analysis.occurrences.buckets': /buckets?/,
  'analysis.occurrences.deploys': /nearby deploys?/,
  'analysis.occurrences.deploys.url': LINKS,
  'analysis.previousDeploy': /previous deploy/,
  'analysis.previousDeploy.url': LINKS,
  'analysis.rawStack': /raw stack/,
  'analysis.recordsQuery': /records query/,
  'analysis.releases': /releases?/,
  'analysis.sampleDifferences': /sample differences?/,
  'analysis.samples': /samples?/,
  'analysis.sentences': /summary sentences?/,
  'analysis.services': /services?/,
  'analysis.source': /source excerpts?/,
  'analysis.stack': /frames?/,
  'analysis.stack.frames': /frames?/,
  'analysis.standouts': /standouts?/,
  'analysis.standouts.query': LINKS,
  'analysis.suspects': /suspects?/,
  'analysis.trend': /trend/,
  'analyses.correlatedDeploy.evidenceAgainst': /evidence/,
  'analyses.correlatedDeploy.evidenceFor': /evidence/,
  'analyses.correlatedDeploy.url': LINKS,
  'analyses.likelyCause.evidenceAgainst': /evidence/,
  'analyses.likelyCause.evidenceFor': /evidence/,
  'analyses.likelyCause.rivals': /rival causes/,
  'analyses.notes': /notes of people are left out/,
  'analyses.notes.ticket': LINKS,
  'analyses.trend': /trends are left out/,
  analyses: /nextCursor/,
  buckets: /buckets were added up/,
  changes: /least likely changes? (is|are) counted in otherChanges/,
  'changes.query': LINKS,
  'commits.commits': /older commits? (is|are) left out/,
  'commits.commits.paths': /[Pp]aths/,
  'deploy.url': LINKS,
  deploys: /deploys? (is|are) left out|nextCursor/,
  'deploys.url': LINKS,
  differences: /least telling differences? (is|are) counted in otherDifferences/,
  'differences.query': LINKS,
  'differences.sample': /samples are left out/,
  fields: /fields? (is|are) left out/,
  'fields.values': /values?/,
  groups: /smallest groups? (is|are) counted in otherGroups/,
  introduced: /analys[ei]s (is|are) left out/,
  newAnalyses: /analys[ei]s (is|are) left out/,
  newPatterns: /patterns? (is|are) left out/,
  'newPatterns.query': LINKS,
  patterns: /patterns? (is|are) counted in otherPatterns/,
  'patterns.query': LINKS,
  'patterns.sample': /samples/,
  'patterns.trend': /trends/,
  'previousDeploy.url': LINKS,
  reasons: /reasons? (is|are) left out/,
  rows: /nextCursor/,
  'rows.url': LINKS,
  services: /\bservices? (is|are) left out/,
  silentServices: /silent services? (is|are) left out/,
  windows: /windows? (is|are) left out/,
  before: /neighbours?/,
  after: /neighbours?/,
  found: /further match/,
  'projects.environments': /environments? (is|are) left out/,
  'projects.services': /services? (is|are) left out/,
  'projects.lastDeploy.url': /newest deploy is shortened/,
}

const CALLS: [string, Arguments][] = [
  ['list_projects', {}],
  ['get_overview', {}],
  ['list_logs', {}],
  ['get_log_context', { id: logRow(15).id, before: 20, after: 20 }],
  ['count_logs', { groupBy: ['service'], bucket: '1h' }],
  ['list_fields', {}],
  ['list_deploys', {}],
  ['get_deploy', { id: 'latest' }],
  ['compare_windows', {}],
  ['what_changed', {}],
  ['list_log_patterns', {}],
  ['resolve_link', { ref: deployOf(0).sha }],
  ['list_analyses', {}],
  ['get_analysis', { id: analysisOf(0).id }],
]

describe('what does not fit', () => {
  it.each(CALLS)('is told by %s, all of it', async (tool, args) => {
    const analyses = times(6, largeAnalysis)
    const reading = fakeReading({ records, deploys, analyses, commits })
    const whole = await ask(reading, tool, { ...args, maxTokens: 20_000 })
    expect(whole.cut).toEqual([])
    let isCut = false
    for (const maxTokens of BUDGETS) {
      const { answer, cut } = await ask(reading, tool, { ...args, maxTokens })
      for (const place of missing(whole.answer, answer)) {
        isCut = true
        expect(TOLD[place], `no words are known for ${place}`).toBeDefined()
        expect(cut.join(' '), `${place} with ${maxTokens}`).toMatch(TOLD[place]!)
      }
    }
    expect(isCut, 'the answer was never cut').toBe(true)
  })

  it('of silent services is never their number', async () => {
    const reading = fakeReading({ records, deploys, analyses: times(6, largeAnalysis) })
    for (const maxTokens of BUDGETS) {
      const { text, answer } = await ask(reading, 'get_overview', { maxTokens })
      expect(text).toContain('\n30 services fell silent\n')
      expect(answer.silentTotal).toBe(30)
    }
  })

  it('of the reasons for a verdict is told wherever deploys are listed', async () => {
    const quick = fakeReading({ deploys: times(2, (at) => deployOf(at)) })
    const judged = { reasons: ['First.', 'Second.', 'Third.'] }
    const reading: FakeReading = {
      ...quick,
      async listDeploys(...args) {
        const answer = await quick.listDeploys(...args)
        return { ...answer, deploys: answer.deploys.map((one) => ({ ...one, ...judged })) }
      },
      async getOverview(...args) {
        const answer = await quick.getOverview(...args)
        return { ...answer, deploys: answer.deploys.map((one) => ({ ...one, ...judged })) }
      },
    }
    expect((await ask(reading, 'list_deploys')).cut).toEqual(['2 reasons for verdicts are left out; see get_deploy.'])
    expect((await ask(reading, 'get_overview')).cut).toEqual(['4 reasons for verdicts are left out; see get_deploy.'])
  })

  it('of people’s comments and of commits is told also where only the tool bounds it', async () => {
    const one = largeAnalysis(0)
    const discussion = { ...one.discussion!, comments: times(12, () => one.discussion!.comments[0]!) }
    const correlatedDeploy = { ...one.correlatedDeploy!, commits }
    const reading = fakeReading({ analyses: [{ ...one, discussion, correlatedDeploy }] })
    const { cut } = await ask(reading, 'get_analysis', { id: one.id, maxTokens: 20_000 })
    expect(cut).toEqual([expect.stringContaining('2 comments')])
    expect(cut).toEqual([expect.stringContaining('20 commits')])
  })
})

/** The places at which the second answer has fewer things in a list, or nothing where the first has something. */
function missing(whole: unknown, shown: unknown, place = ''): Set<string> {
  const found = new Set<string>()
  const add = (places: Iterable<string>) => {
    for (const one of places) found.add(one)
  }
  if (Array.isArray(whole) && Array.isArray(shown)) {
    if (shown.length < whole.length) found.add(place)
    for (const [at, one] of shown.entries()) {
      const same = isObject(one) && 'id' in one ? whole.find(({ id }) => id === one.id) : whole[at]
      add(missing(same, one, place))
    }
  } else if (isObject(whole) && isObject(shown)) {
    for (const key of Object.keys(whole).filter(
      (name) => name !== 'attributes' && name !== 'metadata' && name !== 'by',
    )) {
      add(missing(whole[key], shown[key], place === '' ? key : `${place}.${key}`))
    }
  } else if (!isNothing(whole) && isNothing(shown)) found.add(place)
  return found
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

const FRAME = ['cut', 'next', 'nextCursor', 'url', 'untrustedFields', 'instructionLikeFields']

async function ask(reading: FakeReading, name: string, args: Arguments = {}) {
  const tool = TOOLS.find(({ definition }) => definition.name === name)
  const call = { reading, caller: readCaller(), signal: new AbortController().signal, log: createLog('silent') }
  const result = await tool!.call({ ...call, nowMs: NOW_MS, publicUrl: 'https://logs.example' }, args)
  const structured = result.structuredContent as Record<string, unknown>
  const answer = Object.fromEntries(Object.entries(structured).filter(([key]) => !FRAME.includes(key)))
  return { text: result.content[0]?.text ?? '', answer, cut: (structured.cut ?? []) as string[] }
}
