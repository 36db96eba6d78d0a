/**
 * What the records say for and against the correlated deploys of some analyses: two questions to the log store for all of
 * them together, however many there are.
 */
import type { ConfidenceFacts } from '../../analysis/cause/confidence.ts'
import type { Correlation } from '../../analysis/cause/correlate.ts'
import { kindsOf, type RecordKind } from '../../analysis/cause/evidence.ts'
import { type RateSpans, type Rates, rateSpans } from '../../analysis/cause/rates.ts'
import type { ErrorSpan, ProjectLogs, RecordSpan, SpanValue, TimeRange } from '../../logstore/log-store.ts'
import { type Analysis, currentEpisode } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { keptSinceUs, type ProjectWithSettings } from '../../model/project.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { unlessAway } from './analysis-questions.ts'
import { startOf } from './correlate-deploy.ts'

/** How many environments are checked, those with the most errors first. */
const MAX_ELSEWHERE = 10

/** Null is what could not be read, or cannot be compared. */
export type Evidence = { rates: Rates | null } & Required<Pick<ConfidenceFacts, 'releases' | 'elsewhere'>>

export const NO_EVIDENCE: Evidence = { rates: null, releases: null, elsewhere: null }

export type CorrelationQuestion = {
  project: ProjectWithSettings
  rules: readonly RuleEffect[]
  nowUs: number
  signal: AbortSignal | undefined
}

type Subject = { analysis: Analysis; correlation: Correlation }
type Counts = { errors: Map<ErrorSpan, SpanValue[]>; records: (span: RecordSpan) => number }

export async function readEvidence(
  parts: Pick<ReadingParts, 'control' | 'logStore'>,
  subjects: readonly Subject[],
  { project, rules, nowUs, signal }: CorrelationQuestion,
): Promise<{ byId: Map<string, Evidence>; isIncomplete: boolean }> {
  const oldestUs = keptSinceUs(project.retentionDays, nowUs / 1_000)
  const asked = subjects.flatMap(({ analysis, correlation }) => {
    const startedUs = startOf(correlation)
    const kinds = kindsOf(analysis, rules)
    if (startedUs === null || kinds.length === 0) return []
    const spans = spansOf(analysis, kinds, rateSpans(startedUs, nowUs, oldestUs), oldestUs)
    return [{ analysis, correlation, startedUs, spans }]
  })
  const counts = await countAll(
    parts.logStore.project(project.id),
    asked.map(({ spans }) => spans),
    signal,
  )
  if (counts === null) return { byId: new Map(), isIncomplete: true }
  const isDeployed = deployedAnywhere(parts, project.id)
  const found = await Promise.all(
    asked.map(async ({ analysis, correlation, startedUs, spans }): Promise<[string, Evidence]> => {
      const rates = ratesOf(spans, counts, analysis.firstSeenUs < startedUs)
      const releases = spans.episode && (counts.errors.get(spans.episode) ?? [])
      const elsewhere = await withoutRevision(elsewhereOf(analysis, spans, counts), correlation, isDeployed)
      return [analysis.id, { rates, releases, elsewhere }]
    }),
  )
  return { byId: new Map(found), isIncomplete: false }
}

type Spans = {
  compared: { times: RateSpans; before: ErrorSpan; after: ErrorSpan; everywhere: ErrorSpan } | null
  /** Since the current episode began; null when retention has passed over it. */
  episode: ErrorSpan | null
  environment: string
}

function spansOf(analysis: Analysis, kinds: RecordKind[], times: RateSpans | null, oldestUs: number): Spans {
  const { environment, lastSeenUs } = analysis
  const episode: TimeRange = { fromUs: Math.max(currentEpisode(analysis).anchorUs, oldestUs), toUs: lastSeenUs + 1 }
  const here = { kinds, environment, by: null }
  return {
    compared: times && {
      times,
      before: { ...here, range: times.before },
      after: { ...here, range: times.after },
      everywhere: { kinds, environment: null, by: 'environment', range: times.after },
    },
    episode: episode.fromUs < episode.toUs ? { ...here, by: 'release', range: episode } : null,
    environment,
  }
}

/** Null when the log store does not answer. Analyses of one deploy share its spans of all records. */
async function countAll(
  logs: Pick<ProjectLogs, 'errorSpans' | 'recordSpans'>,
  all: readonly Spans[],
  signal: AbortSignal | undefined,
): Promise<Counts | null> {
  const errors = all.flatMap(({ compared, episode }) => [
    ...(compared === null ? [] : [compared.before, compared.after, compared.everywhere]),
    ...(episode === null ? [] : [episode]),
  ])
  const records = new Map<string, RecordSpan>()
  for (const { compared, environment } of all) {
    if (compared === null) continue
    for (const range of [compared.times.before, compared.times.after]) {
      records.set(keyOf({ range, environment }), { range, environment })
    }
  }
  const [errorCounts, recordCounts] = await Promise.all([
    errors.length === 0 ? [] : unlessAway(logs.errorSpans(errors, signal), signal),
    records.size === 0 ? [] : unlessAway(logs.recordSpans([...records.values()], signal), signal),
  ])
  if (errorCounts === null || recordCounts === null) return null
  const places = new Map([...records.keys()].map((key, at) => [key, recordCounts[at] ?? 0]))
  return {
    errors: new Map(errors.map((span, at) => [span, errorCounts[at] ?? []])),
    records: (span) => places.get(keyOf(span)) ?? 0,
  }
}

function keyOf({ range: { fromUs, toUs }, environment }: RecordSpan): string {
  return `${fromUs} ${toUs} ${environment}`
}

function ratesOf({ compared, environment }: Spans, counts: Counts, existedBefore: boolean): Rates | null {
  if (compared === null) return null
  const rate = (span: ErrorSpan) => ({
    ...span.range,
    errors: (counts.errors.get(span) ?? []).reduce((sum, { count }) => sum + count, 0),
    records: counts.records({ range: span.range, environment }),
  })
  return { before: rate(compared.before), after: rate(compared.after), existedBefore }
}

/** Where else the same errors occurred since the deploy, most first. */
function elsewhereOf({ environment }: Analysis, { compared }: Spans, counts: Counts): Evidence['elsewhere'] {
  if (compared === null) return null
  return (counts.errors.get(compared.everywhere) ?? [])
    .slice(0, MAX_ELSEWHERE)
    .filter(({ value }) => value !== environment)
    .map(({ value, count }) => ({ environment: value, count }))
}

type IsDeployed = (environment: string, sha: string) => Promise<boolean>

/** Each place and revision is looked up once for an answer. */
function deployedAnywhere({ control }: Pick<ReadingParts, 'control'>, projectId: Analysis['projectId']): IsDeployed {
  const known = new Map<string, Promise<boolean>>()
  return (environment, sha) => {
    const key = `${sha} ${environment}`
    const asked =
      known.get(key) ??
      control.deploys
        .list(projectId, { environment, sha, status: 'succeeded', limit: 1 })
        .then((deploys) => deploys.length > 0)
    known.set(key, asked)
    return asked
  }
}

/** Environments with the same errors to which the correlated revision was never deployed. */
async function withoutRevision(
  elsewhere: Evidence['elsewhere'],
  correlation: Correlation,
  isDeployed: IsDeployed,
): Promise<Evidence['elsewhere']> {
  if (!elsewhere || correlation.source !== 'recorded') return elsewhere
  const { sha } = correlation.deploy
  const deployed = await Promise.all(elsewhere.map(({ environment }) => isDeployed(environment, sha)))
  return elsewhere.filter((_, at) => !deployed[at])
}
