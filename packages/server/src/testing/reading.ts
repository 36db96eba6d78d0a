/**
 * The reading verbs over plain arrays, for the doors above them: deterministic, no query language (free text is looked
 * for in the message), cursors that are a position in the list. What was asked is kept in `asked`.
 */
import { type AnalysisDetail, analysisItem } from '@tidemark/wire/analyses/analysis'
import type { Deploy, DeployCommits } from '@tidemark/wire/deploys/deploy'
import { DEFAULT_NEIGHBOURS } from '@tidemark/wire/limits'
import type { FilterInput } from '@tidemark/wire/reading/question'
import type { LogRow } from '@tidemark/wire/reading/row'
import { LATEST_DEPLOY } from '@tidemark/wire/time/parse-time'
import { unknownAnalysis } from '../control/analyses/unknown-analysis.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'
import type { Reading } from '../verbs/open-reading.ts'
import {
  changeOfDeploy,
  changeOfRecord,
  deployAnalysisOf,
  deployPatternOf,
  deployRow,
  differenceOf,
  linkedAnalysis,
  linkedDeploy,
  linkedRecord,
  NOW_MS,
  overviewAnalysisOf,
  PREVIOUS,
  patternOf,
  serviceOf,
  verdictOf,
  WINDOW,
} from './reading-rows.ts'

export type Asked = { verb: keyof Reading; input: unknown; signal: AbortSignal | undefined }

export type FakeReading = Reading & { readonly asked: Asked[] }

export function fakeReading({
  records = [],
  deploys = [],
  analyses = [],
  commits = null,
  isRollback = false,
}: {
  records?: LogRow[]
  deploys?: Deploy[]
  analyses?: AnalysisDetail[]
  commits?: DeployCommits | null
  isRollback?: boolean
} = {}): FakeReading {
  const asked: Asked[] = []
  const note = (verb: keyof Reading, input: unknown, signal?: AbortSignal) => asked.push({ verb, input, signal })
  const matching = ({ query, service, level, environment }: FilterInput) => {
    if (query === '(')
      throw refusal('invalid_request', 'query', 'The bracket at character 1 is not closed. Close it with ).')
    return records.filter(
      (one) =>
        (query === undefined || one.message.includes(query)) &&
        (service === undefined || one.service === service) &&
        (level === undefined || one.level === level) &&
        (environment === undefined || one.environment === environment),
    )
  }
  const empty = (rows: readonly unknown[]) =>
    rows.length > 0
      ? null
      : `There is nothing in the window; the newest record is in ${records[0]?.environment ?? 'none'}.`

  return {
    asked,
    async listLogs(_, input, signal) {
      note('listLogs', input, signal)
      const timeline = [...matching(input), ...deploys.map(deployRow)].sort((a, b) => order(a, b, input.order))
      const { page: rows, nextCursor } = pageOf(timeline, input)
      return { window: WINDOW, rows, nextCursor, warnings: [], empty: empty(rows) }
    },
    async shortenLogs(_, input, answer, count) {
      note('shortenLogs', count)
      return { ...answer, rows: answer.rows.slice(0, count), nextCursor: `at-${startOf(input) + count}` }
    },
    async countLogs(_, input, signal) {
      note('countLogs', input, signal)
      const found = matching(input)
      const [first] = input.groupBy ?? []
      const counts = new Map<string, number>()
      for (const one of found) counts.set(fieldOf(one, first), (counts.get(fieldOf(one, first)) ?? 0) + 1)
      const by = Object.fromEntries(counts)
      const bucket = (index: number) => new Date(NOW_MS - (24 - index) * 3_600_000).toISOString()
      return {
        window: WINDOW,
        total: found.length,
        bucketSeconds: input.bucket === undefined ? null : 3_600,
        buckets:
          input.bucket === undefined
            ? []
            : Array.from({ length: 24 }, (_, index) => ({
                timestamp: bucket(index),
                count: index === 23 ? found.length : 0,
                by: index === 23 && first !== undefined ? by : {},
              })),
        groups: first === undefined ? [] : [...counts].map(([value, count]) => ({ values: [value], count })),
        otherGroups: 0,
        deploys: deploys.map(deployRow),
        previous: input.compare === undefined ? null : { window: PREVIOUS, total: 7 },
        warnings: [],
        empty: empty(found),
      }
    },
    async compareWindows(_, input, signal) {
      note('compareWindows', input, signal)
      const found = matching(input)
      return {
        window: WINDOW,
        baseWindow: PREVIOUS,
        environment: input.environment ?? null,
        records: found.length,
        baseRecords: 7,
        sampled: found.length,
        baseSampled: 7,
        differences: found.map(differenceOf),
        otherDifferences: 0,
        warnings: [],
        empty: empty(found),
      }
    },
    async listLogPatterns(_, input, signal) {
      note('listLogPatterns', input, signal)
      const found = matching(input).slice(0, input.limit ?? 50)
      const hasBase = [input.compare, input.compareFrom, input.deployId].some((base) => base !== undefined)
      return {
        window: WINDOW,
        baseWindow: hasBase ? PREVIOUS : null,
        environment: input.environment ?? null,
        records: found.length,
        baseRecords: hasBase ? 7 : null,
        trendSeconds: 3_600,
        patterns: found.map((one) => patternOf(one, { query: input.query, records: found.length, hasBase })),
        otherPatterns: 0,
        otherRecords: 0,
        warnings: [],
        empty: empty(found),
      }
    },
    async listFields(_, input, signal) {
      note('listFields', input, signal)
      const found = matching(input)
      const names = new Set(['service', ...found.flatMap((one) => Object.keys(one.attributes))])
      const fields = [...names].map((name) => ({
        name,
        kind: name === 'service' ? ('field' as const) : ('attribute' as const),
        type: 'text' as const,
        coverage: 1,
        sampled: found.length,
        distinct: Math.min(found.length, 10),
        values: found.slice(0, 10).map((one) => ({ value: fieldOf(one, name), count: 1 })),
      }))
      const size = { total: found.length, sampled: found.length }
      return { window: WINDOW, fields, ...size, warnings: [], empty: empty(found) }
    },
    async getLogContext(_, input, signal) {
      note('getLogContext', input, signal)
      const at = records.findIndex((one) => one.id === input.id)
      const record = records[at]
      if (!record) throw refusal('not_found', 'id', 'No record has this id. Take one from list_logs.')
      const [deploy] = deploys
      return {
        record,
        before: records.slice(at + 1, at + 1 + (input.before ?? DEFAULT_NEIGHBOURS)).reverse(),
        after: records.slice(Math.max(0, at - (input.after ?? DEFAULT_NEIGHBOURS)), at).reverse(),
        deploy: deploy ? { ...deployRow(deploy), elapsedSeconds: 60 } : null,
      }
    },
    async listDeploys(_, input, signal) {
      note('listDeploys', input, signal)
      const { page, nextCursor } = pageOf(deploys, input)
      const judged = page.map((one) => ({ ...one, ...verdictOf(one), introduced: 0 }))
      return { window: WINDOW, deploys: judged, nextCursor, warnings: [], empty: empty(deploys) }
    },
    async getDeploy(_, input, signal) {
      note('getDeploy', input, signal)
      const at = input.id === LATEST_DEPLOY ? 0 : deploys.findIndex(({ id }) => id === input.id)
      const deploy = deploys[at]
      if (!deploy) throw unknownDeploy()
      const previousDeploy = deploys[at + 1] ?? null
      const introduced = analyses.map(deployAnalysisOf)
      return {
        deploy,
        previousDeploy,
        ...verdictOf(deploy),
        newPatterns: records.map(deployPatternOf),
        gonePatterns: [],
        introduced,
        regressed: [],
        gone: [],
        isRollback,
        commits,
        warnings: [],
        url: `https://logs.example/projects/prj_1/deploys/${deploy.id}`,
      }
    },
    async *deployVerdict(_, input) {
      note('deployVerdict', input)
      const deploy = deploys.find(({ id }) => id === input.id)
      if (!deploy) throw unknownDeploy()
      yield {
        ...verdictOf(deploy),
        deploy,
        url: `https://logs.example/projects/prj_1/deploys/${deploy.id}`,
        warnings: [],
      }
    },
    async matchingAnalyses(_, input, signal) {
      note('matchingAnalyses', input, signal)
      return { analyses: analyses.map(({ id, state }) => ({ id, state })), total: analyses.length }
    },
    async listAnalyses(_, input, signal) {
      note('listAnalyses', input, signal)
      const found = analyses.filter(({ service }) => input.service === undefined || service === input.service)
      const { page, nextCursor } = pageOf(found, input)
      const states = { new: found.length, ongoing: 0, regressed: 0, resolved: 0, ignored: 0 }
      const items = page.map((one) => analysisItem.parse(one))
      return { window: WINDOW, analyses: items, nextCursor, states, warnings: [], empty: empty(page) }
    },
    async getAnalysis(_, input, signal) {
      note('getAnalysis', input, signal)
      const analysis = analyses.find(({ id }) => id === input.id)
      if (!analysis) throw unknownAnalysis()
      return { analysis, url: `https://logs.example/projects/prj_1/analyses/${input.id}` }
    },
    async getOverview(_, input, signal) {
      note('getOverview', input, signal)
      const found = matching(input)
      return {
        window: WINDOW,
        baseWindow: PREVIOUS,
        environment: input.environment ?? null,
        records: found.length,
        baseRecords: 7,
        levels: [{ level: 'error', count: found.length, baseCount: 7 }],
        services: found.map(serviceOf),
        trendFrom: WINDOW.from,
        trendSeconds: 3_600,
        states: { new: analyses.length },
        newAnalyses: analyses.map(overviewAnalysisOf),
        regressedAnalyses: [],
        spikingAnalyses: [],
        deployVerdicts: { bad: deploys.length },
        deploys: deploys.map((one) => {
          const { windows: _, ...verdict } = verdictOf(one)
          return { ...one, ...verdict, introduced: 0 }
        }),
        silentServices: found.map(({ service, environment, timestamp }) => ({
          ...{ service, environment, lastSeen: timestamp, silentSeconds: 7_200, longestGapSeconds: 60 },
        })),
        warnings: [],
        empty: empty(found),
      }
    },
    async whatChanged(_, input, signal) {
      note('whatChanged', input, signal)
      if (input.analysisId !== undefined && !analyses.some(({ id }) => id === input.analysisId)) throw unknownAnalysis()
      const changes = [
        ...deploys.map((one) => changeOfDeploy(one)),
        ...matching(input).map((one) => changeOfRecord(one)),
      ].slice(0, input.limit ?? 50)
      return {
        at: WINDOW.to,
        window: WINDOW,
        environment: input.environment ?? null,
        likelyCause: null,
        changes,
        otherChanges: 0,
        warnings: [],
        empty: empty(changes),
      }
    },
    async resolveLink(_, { ref }, signal) {
      note('resolveLink', { ref }, signal)
      const found = [
        ...records.filter(({ id, message }) => ref === id || ref === message).map(linkedRecord),
        ...analyses.filter(({ id, title }) => ref === id || ref === title).map(linkedAnalysis),
        ...deploys.filter(({ id, sha }) => ref === id || ref === sha).map(linkedDeploy),
      ]
      const explanation = found.length === 0 ? 'Nothing has these words.' : 'This may mean several things.'
      return { readAs: 'text', explanation, page: null, found, query: null, warnings: [] }
    },
    async findByWords(_, input) {
      note('findByWords', input)
      return { analyses: [], deploys: [] }
    },
    async suggestNames(_, { kind, prefix, limit }, signal) {
      note('suggestNames', { kind, prefix, limit }, signal)
      const names = {
        log: records.map(({ id }) => id),
        analysis: analyses.map(({ id }) => id),
        deploy: deploys.map(({ id }) => id),
        environment: records.map(({ environment }) => environment),
        service: records.map(({ service }) => service),
      }
      const found = [...new Set(names[kind])].filter((one) => one.startsWith(prefix))
      return { values: found.slice(0, limit), more: found.length > limit }
    },
    async describeProject({ ...caller }: Caller) {
      note('describeProject', {})
      const { project } = caller as Extract<Caller, { kind: 'key' }>
      return {
        id: project.id,
        name: project.name,
        environments: [...new Set(records.map((one) => one.environment))],
        services: [...new Set(records.map((one) => one.service))],
        retentionDays: project.retentionDays,
        retentionRules: [],
        lastLogAt: records[0]?.timestamp ?? null,
        lastDeploy: deploys[0] ?? null,
        repository: null,
      }
    },
    async exportLogs(_, input) {
      note('exportLogs', input)
      const rows = matching(input)
      const pages = (async function* () {
        yield rows
      })()
      return { records: rows.length, leftOut: 0, pages }
    },
    async *tailLogs(_, input) {
      note('tailLogs', input)
      yield { rows: matching(input), dropped: 0 }
    },
  }
}

function order(a: { timestamp: string }, b: { timestamp: string }, wanted = 'newest'): number {
  const newest = a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0
  return wanted === 'newest' ? newest : -newest
}

function fieldOf(row: LogRow, name = 'service'): string {
  const value = name in row ? row[name as keyof LogRow] : row.attributes[name]
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

type Paging = { cursor?: string | undefined; limit?: number | undefined }

function startOf({ cursor = 'at-0' }: Paging): number {
  return Number(cursor.replace('at-', ''))
}

function pageOf<Item>(items: readonly Item[], input: Paging): { page: Item[]; nextCursor: string | null } {
  const end = startOf(input) + (input.limit ?? 50)
  return { page: items.slice(startOf(input), end), nextCursor: end < items.length ? `at-${end}` : null }
}

function unknownDeploy(): AppError {
  return refusal('not_found', 'id', 'No deploy of this project has that id. List the deploys to find one.')
}

function refusal(code: 'not_found' | 'invalid_request', path: string, message: string): AppError {
  return new AppError(code, message, { fields: [{ path, message }] })
}
