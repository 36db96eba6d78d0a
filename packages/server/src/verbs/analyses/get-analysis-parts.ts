/** The parts of an analysis that are read from its records. Each is read separately, and is null when that failed. */

import type { AnalysisDetail, AnalysisPart } from '@tidemark/wire/analyses/analysis'
import type { CoreField } from '@tidemark/wire/query/fields'
import type { Retention } from '@tidemark/wire/retention'
import { OCCURRENCE_BUCKETS } from '@tidemark/wire/time/bucket-length'
import { HOUR_US } from '@tidemark/wire/time/units'
import { alignedTo, occurrenceWindow } from '../../analysis/cause/rates.ts'
import { recordsQuery } from '../../analysis/group/records-query.ts'
import { atMost } from '../../at-most.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { type Analysis, currentEpisode } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { errorsKeptSinceUs, kept } from '../../model/retention.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { unlessAway } from '../causes/unless-away.ts'
import { bucketLengthUs } from '../reading/counts/count-logs-bucket.ts'
import { type NeighboursBy, neighboursBy } from '../reading/logs/neighbours.ts'
import { affectedUsers } from './affected-users.ts'

const SAMPLES = 5
/** Combinations of service, host and release; beyond this the rarest are not counted. */
const MAX_COMBINATIONS = 1_000
const PARTS_AT_ONCE = 2
const RECORDS_BEFORE = 10
/** Records further back explain nothing, and looking for them takes long. */
const RECORDS_BEFORE_REACH_US = HOUR_US

type ValueCount = { value: string; count: number }
type Affected = { services: ValueCount[]; hosts: ValueCount[]; releases: ValueCount[] }

/** What was logged just before a record: on its trace, else on its host, else in its environment. */
type RecordsBefore = { by: NeighboursBy; records: StoredRecord[] }

export type ReadParts = {
  affected: Affected | null
  users: AnalysisDetail['users']
  buckets: AnalysisDetail['occurrences']['buckets']
  occurrenceRange: TimeRange
  bucketUs: number
  samples: StoredRecord[]
  before: RecordsBefore | null
  /** Something that was asked for could not be read. */
  isIncomplete: boolean
}

type PartsQuestion = {
  analysis: Analysis
  rules: readonly RuleEffect[]
  include: ReadonlySet<AnalysisPart>
  project: Retention
  nowUs: number
  /** When what it is put down to was deployed or committed. */
  changedAtUs: () => Promise<number | null>
  signal: AbortSignal | undefined
}

export async function readParts(logs: ProjectLogs, question: PartsQuestion): Promise<ReadParts> {
  const { analysis, rules, include, project, nowUs, changedAtUs, signal } = question
  const { anchorUs } = currentEpisode(analysis)
  const oldestUs = errorsKeptSinceUs(project, analysis.environment, nowUs / 1_000)
  const filter = recordsQuery(analysis, rules)
  const nothing: ReadParts = {
    affected: null,
    users: undefined,
    buckets: [],
    ...occurrenceSlices(analysis, null, nowUs),
    samples: [],
    before: null,
    isIncomplete: false,
  }
  if (filter === null) return nothing

  const place = atMost(PARTS_AT_ONCE)
  let isIncomplete = false
  /** Not asked for, and impossible, is null as well; only what failed makes the answer incomplete. */
  async function ask<Result>(isWanted: boolean, question: () => Promise<Result>): Promise<Result | null> {
    if (!isWanted) return null
    const answer = await unlessAway(place(question), signal)
    if (answer === null) isIncomplete = true
    return answer
  }

  const episode = kept({ fromUs: anchorUs, toUs: analysis.lastSeenUs + 1 }, oldestUs)
  const whole = kept({ fromUs: analysis.firstSeenUs, toUs: analysis.lastSeenUs + 1 }, oldestUs)
  const select = (range: TimeRange) => ({ range, filter, signal })

  async function samplesAndBefore() {
    const isWanted = include.has('samples') || include.has('before')
    const found = await ask(isWanted && whole !== null, () =>
      logs.search({ ...select(whole!), order: 'newest', limit: include.has('samples') ? SAMPLES : 1 }),
    )
    const [newest] = found?.records ?? []
    const before = await ask(include.has('before') && newest !== undefined, () => recordsBefore(logs, newest!, signal))
    return { samples: include.has('samples') ? (found?.records ?? []) : [], before }
  }

  const [affected, users, trend, { samples, before }] = await Promise.all([
    ask(include.has('affected') && episode !== null, async () =>
      affectedOf(await logs.groups(select(episode!), { fields: AFFECTED.map(core), limit: MAX_COMBINATIONS })),
    ),
    ask(include.has('affected') && episode !== null, async () => ({
      found: await affectedUsers(logs, select(episode!)),
    })),
    ask(include.has('trend'), async () => {
      const slices = occurrenceSlices(analysis, await changedAtUs(), nowUs)
      return { ...slices, buckets: await occurrences(logs, select(slices.occurrenceRange), slices.bucketUs) }
    }),
    samplesAndBefore(),
  ])
  return {
    ...nothing,
    ...trend,
    affected,
    users: users?.found,
    samples,
    before,
    isIncomplete,
  }
}

const AFFECTED = ['service', 'host', 'release'] as const

function core(name: CoreField) {
  return { kind: 'core', name } as const
}

function affectedOf({ largest }: Awaited<ReturnType<ProjectLogs['groups']>>): Affected {
  const [services, hosts, releases] = AFFECTED.map((_, at) => {
    const counts = new Map<string, number>()
    for (const { values, count } of largest) counts.set(values[at] ?? '', (counts.get(values[at] ?? '') ?? 0) + count)
    return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
  })
  return { services: services ?? [], hosts: hosts ?? [], releases: releases ?? [] }
}

/** What is drawn, in buckets of which one begins with the change. */
function occurrenceSlices(analysis: Analysis, changedAtUs: number | null, nowUs: number) {
  const { anchorUs } = currentEpisode(analysis)
  const range = occurrenceWindow({ anchorUs, lastSeenUs: analysis.lastSeenUs, deployedAtUs: changedAtUs, nowUs })
  const bucketUs = bucketLengthUs(OCCURRENCE_BUCKETS, range)
  return { occurrenceRange: alignedTo(changedAtUs ?? 0, range, bucketUs), bucketUs }
}

async function occurrences(
  logs: ProjectLogs,
  selection: Parameters<ProjectLogs['buckets']>[0],
  bucketUs: number,
): Promise<AnalysisDetail['occurrences']['buckets']> {
  const { fromUs: originUs, toUs } = selection.range
  const counts = new Array<number>(Math.ceil((toUs - originUs) / bucketUs)).fill(0)
  const counted = await logs.buckets(selection, { bucketUs, originUs })
  for (const { startUs, count } of counted) counts[(startUs - originUs) / bucketUs]! += count
  return counts.map((count, at) => ({ timestamp: formatRfc3339(originUs + at * bucketUs), count }))
}

/** Oldest first. A trace that holds nothing before it says less than the host does, so that is tried next. */
async function recordsBefore(
  logs: Pick<ProjectLogs, 'search'>,
  record: StoredRecord,
  signal: AbortSignal | undefined,
): Promise<RecordsBefore> {
  for (const by of ['trace', 'host', 'time'] as const) {
    const root = neighboursBy(record, by)
    if (root === null) continue
    const range = { fromUs: Math.max(0, record.timeUs - RECORDS_BEFORE_REACH_US), toUs: record.timeUs + 1 }
    const page = { order: 'newest', limit: RECORDS_BEFORE, after: record.id } as const
    const { records } = await logs.search({ range, filter: { root }, ...page, signal })
    if (records.length > 0) return { by, records: records.reverse() }
  }
  return { by: 'time', records: [] }
}
