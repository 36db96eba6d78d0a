/** Records, deploys, commits and verdicts of the reading verbs that `reading.ts` tells of, each by its index. */
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { inBrief } from '@tidemark/wire/analyses/cause'
import type { Deploy, DeployCommits } from '@tidemark/wire/deploys/deploy'
import type { DeployAnalysis, DeployPattern, DeployVerdict } from '@tidemark/wire/deploys/verdict'
import type { ChangeView } from '@tidemark/wire/reading/changes'
import type { Difference } from '@tidemark/wire/reading/compare'
import type { LinkTarget } from '@tidemark/wire/reading/link'
import type { OverviewAnalysis, OverviewService } from '@tidemark/wire/reading/overview'
import type { LogPattern } from '@tidemark/wire/reading/patterns'
import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { TREND_SLICES } from '@tidemark/wire/time/bucket-length'
import type { Caller } from '../model/caller.ts'
import type { ProjectId } from '../model/project.ts'

export const NOW = '2026-01-31T12:00:00.000Z'
export const NOW_MS = Date.parse(NOW)
export const WINDOW = { from: '2026-01-30T12:00:00.000Z', to: NOW }
export const PREVIOUS = { from: '2026-01-29T12:00:00.000Z', to: '2026-01-30T12:00:00.000Z' }

/** The `index`-th newest record, a second older for each. */
export function logRow(index: number, change: Partial<LogRow> = {}): LogRow {
  return {
    kind: 'log',
    id: `log_${idTail(index)}`,
    timestamp: new Date(NOW_MS - (index + 1) * 1_000).toISOString(),
    level: 'error',
    environment: 'production',
    environmentDefaulted: false,
    service: 'checkout',
    host: 'web-1',
    logger: 'pay',
    release: '1.4.2',
    message: `card declined for cart ${index}`,
    truncated: false,
    error: null,
    attributes: { 'http.status': 502, cart: `c-${index}` },
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    pattern: '0123456789abcdef',
    fingerprint: null,
    analysisId: null,
    ...change,
  }
}

/** The record's message as a pattern that was not there before; every second one is about its service instead. */
export function differenceOf({ message, pattern, service }: LogRow, index: number): Difference {
  const counts = { count: 2, total: 9, baseCount: 0, baseTotal: 7, change: 'appeared' } as const
  const appeared = (field: string, value: string) => {
    return { field, value, ...counts, text: `${field} ${value.slice(0, 160)} appeared` }
  }
  if (index % 2 === 1) return { ...appeared('service', service), sample: null, query: null }
  return { ...appeared('pattern', message), sample: message, query: `pattern:${pattern}` }
}

const NO_CHANGE = {
  ...{ role: null, environment: null, service: null, deployId: null, sha: null, status: null, verdict: null },
  ...{ analysisId: null, name: null, from: null, to: null, query: null },
} as const

/** Each record as a message that is new. */
export function changeOfRecord({ message, service, environment, pattern, timestamp, analysisId }: LogRow): ChangeView {
  const elapsedSeconds = (NOW_MS - Date.parse(timestamp)) / 1_000
  const texts = {
    title: `New message: ${message}`,
    reason: `It came 3 times in ${service}.`,
    query: `pattern:${pattern}`,
  }
  const values = { name: service, from: message, to: service }
  const where = { environment, service, analysisId }
  return { ...NO_CHANGE, kind: 'pattern', timestamp, elapsedSeconds, score: 0.4, ...texts, ...values, ...where }
}

export function changeOfDeploy({ id, sha, environment, status, message, deployedAt }: Deploy): ChangeView {
  const elapsedSeconds = (NOW_MS - Date.parse(deployedAt)) / 1_000
  const texts = { title: `Deploy of ${sha} to ${environment}`, reason: `Its verdict is bad. ${message ?? ''}` }
  const ids = { deployId: id, sha, environment, status, verdict: status === 'succeeded' ? ('bad' as const) : null }
  return { ...NO_CHANGE, kind: 'deploy', timestamp: deployedAt, elapsedSeconds, score: 0.9, ...texts, ...ids }
}

/** Each record as a pattern of its own. */
export function patternOf(
  { message, pattern, level, service, timestamp, id }: LogRow,
  { query, records, hasBase }: { query: string | undefined; records: number; hasBase: boolean },
): LogPattern {
  return {
    id: `pat_${pattern}`,
    pattern: message,
    count: 1,
    share: 1 / records,
    state: hasBase ? 'new' : null,
    baseCount: hasBase ? 0 : null,
    firstSeen: timestamp,
    lastSeen: timestamp,
    trend: Array.from({ length: TREND_SLICES }, (_, at) => (at === TREND_SLICES - 1 ? 1 : 0)),
    levels: [level],
    services: [service],
    query: [query, `pattern:${pattern}`].filter(Boolean).join(' '),
    queryCount: 1,
    sampleId: id,
    sample: message,
  }
}

/** Half a second older than the record of the same index, so that it appears right below it. */
export function deployOf(index: number, change: Partial<Deploy> = {}): Deploy {
  return {
    id: `dep_${idTail(index)}`,
    sha: '4f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39',
    environment: 'production',
    deployedAt: new Date(NOW_MS - (index + 1) * 1_000 - 500).toISOString(),
    status: 'succeeded',
    ref: 'main',
    message: 'Round prices once',
    author: 'ana',
    externalId: null,
    url: null,
    metadata: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  }
}

export function readCaller(change: { keyId?: string; project?: string } = {}): Extract<Caller, { kind: 'key' }> {
  return {
    kind: 'key',
    keyId: change.keyId ?? 'key_1',
    keyKind: 'read',
    project: {
      id: (change.project ?? 'prj_1') as ProjectId,
      name: 'shop',
      createdAt: NOW,
      defaultEnvironment: 'production',
      retentionDays: 30,
      retentionRules: [],
      monthlyQuotaRecords: null,
      maxBytesPerSecond: null,
      maxRequestsPerSecond: null,
      redaction: {},
    },
  }
}

/** The `index`-th newest commit, a minute older for each. */
export function commitOf(
  index: number,
  change: Partial<DeployCommits['commits'][number]> = {},
): DeployCommits['commits'][number] {
  return {
    sha: `${String(index).padStart(7, '0')}${'a'.repeat(33)}`,
    title: `Round prices per line, part ${index}`,
    author: 'Ada',
    committedAt: new Date(NOW_MS - (index + 1) * 60_000).toISOString(),
    files: 3,
    paths: ['src/pay.ts', 'src/cart.ts'],
    ...change,
  }
}

const NO_RECORDS = { before: null, after: null, windows: [] }

/** Bad, for a reason that repeats the message of the deploy, as a title of an analysis would be repeated. */
export function verdictOf({ status, message, deployedAt }: Deploy): DeployVerdict {
  if (status !== 'succeeded') return { verdict: null, reasons: ['It failed.'], ...NO_RECORDS, checkAgainAt: null }
  const before = { from: WINDOW.from, to: deployedAt, records: 104, errors: 2 }
  const after = { from: deployedAt, to: NOW, records: 96, errors: 37 }
  const reason = `${message ?? 'TypeError'} in checkout began 4 min after it, 37 errors (high confidence).`
  return {
    verdict: 'bad',
    reasons: [reason],
    before,
    after,
    windows: [5, 15, 60].map((minutes) => ({ minutes, before, after })),
    checkAgainAt: null,
  }
}

export function deployPatternOf({ message, level, service, pattern }: LogRow): DeployPattern {
  return { pattern: message, count: 1, levels: [level], services: [service], query: `pattern:${pattern}` }
}

export function serviceOf({ service }: LogRow): OverviewService {
  return { service, records: 96, errors: 37, baseRecords: 104, baseErrors: 2, trend: [] }
}

export function overviewAnalysisOf(detail: AnalysisDetail): OverviewAnalysis {
  const { id, title, state, activity, environment, service, level, count, firstSeen, lastSeen, anchor, onset } = detail
  return {
    ...{ id, title, state, activity, environment, service, level, count, firstSeen, lastSeen, anchor, onset },
    trend: detail.trend,
    rankReason: detail.rankReason,
    likelyCause: inBrief(detail.likelyCause),
  }
}

export function deployAnalysisOf(detail: AnalysisDetail): DeployAnalysis {
  const { id, title, environment, service, level, state, count, anchor, likelyCause } = detail
  return {
    ...{ id, title, environment, service, level, state, count },
    ...{ began: 'first', onset: anchor, end: null },
    likelyCause: inBrief(likelyCause),
    countsAgainst: likelyCause.kind === 'deploy',
  }
}

export function deployRow({ deployedAt, id, environment, sha, ref, status, author, message, url }: Deploy): DeployRow {
  return { kind: 'deploy', id, timestamp: deployedAt, environment, sha, ref, status, author, message, url }
}

function idTail(index: number): string {
  return `0194b8a2-7c00-7000-8000-${String(index).padStart(12, '0')}`
}

const UNLINKED = { sha: null, author: null, count: null, firstSeen: null, analysisId: null, query: null } as const

export function linkedRecord({ id, message, level, environment, service, timestamp, analysisId }: LogRow): LinkTarget {
  const names = { title: message, state: level, environment, service }
  return { ...UNLINKED, kind: 'record', id, ...names, lastSeen: timestamp, analysisId }
}

export function linkedAnalysis({ id, title, state, environment, service, count, ...seen }: AnalysisDetail): LinkTarget {
  const { firstSeen, lastSeen } = seen
  return { ...UNLINKED, kind: 'analysis', id, title, state, environment, service, count, firstSeen, lastSeen }
}

export function linkedDeploy({ id, message, status, environment, sha, author, deployedAt }: Deploy): LinkTarget {
  const names = { title: message ?? '', state: status, environment, service: null, sha, author }
  return { ...UNLINKED, kind: 'deploy', id, ...names, lastSeen: deployedAt }
}
