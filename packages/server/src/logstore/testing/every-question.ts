/** Every question that a log store can be asked about a project, over records as `records` makes them. */
import { parseQuery } from '@tidemark/wire/query/parse'
import { DAY_US, MINUTE_US } from '@tidemark/wire/time/units'
import type { ProjectId } from '../../model/project.ts'
import type { ProjectLogs } from '../log-store.ts'
import { type SegmentRecord, TODAY } from './segment.ts'

export const range = { fromUs: (TODAY - 1) * DAY_US, toUs: (TODAY + 1) * DAY_US }
/** Short, so that a search is one question. */
const MINUTES = { fromUs: TODAY * DAY_US, toUs: TODAY * DAY_US + 10 * MINUTE_US }
export const KIND = { fingerprint: '0000000100000002', split: null }

/** One of each project on each of two days; the first is an error. */
export function records(segment: string, projects: readonly ProjectId[]): SegmentRecord[] {
  return projects.flatMap((project) =>
    [0, 1].map((ago) => ({
      project,
      timeUs: (TODAY - ago) * DAY_US + 5 * MINUTE_US + 7,
      level: ago === 0 ? ('error' as const) : ('info' as const),
      service: 'api',
      message: `${segment} started with pool 50`,
      attributes: new Map([['pool', 50]]),
      row: ago === 0 ? { fingerprint: { hi: 1, lo: 2 } } : {},
    })),
  )
}

function query(text: string) {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.query
}

const filters = [
  '',
  'started',
  '"started with"',
  'pool:50 level:error',
  'message:/st[a-z]+d/ OR service:a*i',
  '-has:host',
]
const selections = filters.map((text) => ({ range, filter: query(text) }))
const everywhere = selections[0]!
const place = { ranges: [range], environment: 'production', service: 'api', kinds: [KIND] }
const fields = [{ kind: 'core', name: 'service' } as const, { kind: 'attribute', name: 'pool' } as const]
const eachSelection = (work: (selection: (typeof selections)[number]) => Promise<unknown>) =>
  Promise.all(selections.map(work))

/** Every question there is: a new one has to be added, or this does not compile. */
export const QUESTIONS: Record<keyof ProjectLogs, (logs: ProjectLogs) => Promise<unknown>> = {
  byIds: async (logs) => logs.byIds(await someIds(logs)),
  samples: async (logs) => logs.samples(await someIds(logs)),
  search: async (logs) => {
    for (const order of ['newest', 'oldest'] as const) {
      const search = { range: MINUTES, filter: query('message:/st[a-z]+d/'), order, limit: 1 }
      const { records } = await logs.search(search)
      await logs.search({ ...search, after: records[0]?.id })
    }
  },
  total: (logs) => eachSelection((selection) => logs.total(selection)),
  pastCounts: (logs) =>
    logs.pastCounts({
      rules: [{ levels: ['error'], service: 'api', environment: null, beforeUs: TODAY * DAY_US }],
      beforeUs: TODAY * DAY_US,
    }),
  groups: (logs) => eachSelection((selection) => logs.groups(selection, { fields, limit: 5 })),
  buckets: (logs) =>
    eachSelection((selection) =>
      logs.buckets(selection, { bucketUs: MINUTE_US, split: { field: fields[0]!, values: ['api'] } }),
    ),
  series: (logs) =>
    Promise.all(fields.map((field) => logs.series(everywhere, { bucketUs: MINUTE_US, field, limit: 2 }))),
  measuredGroups: (logs) =>
    Promise.all(
      (['distinct', 'p95', 'avg'] as const).map((kind) =>
        logs.measuredGroups(everywhere, { fields, measure: { kind, field: fields[1]! }, limit: 5 }),
      ),
    ),
  measuredBuckets: (logs) =>
    logs.measuredBuckets(everywhere, {
      bucketUs: MINUTE_US,
      measure: { kind: 'max', field: fields[1]! },
      split: { field: fields[0]!, values: ['api'] },
    }),
  patterns: (logs) =>
    logs.patterns(
      { ...everywhere, range: { fromUs: TODAY * DAY_US, toUs: range.toUs } },
      {
        base: { fromUs: range.fromUs, toUs: TODAY * DAY_US },
        slices: { startUs: TODAY * DAY_US, lengthUs: DAY_US },
        limit: 5,
      },
    ),
  patternSamples: (logs) =>
    logs.patternSamples(everywhere, [{ pattern: '0000000000000000', timeUs: TODAY * DAY_US + 5 * MINUTE_US + 7 }]),
  errorSpans: (logs) =>
    logs.errorSpans([
      { range, kinds: [KIND], environment: null, by: 'release' },
      {
        range,
        kinds: [{ ...KIND, split: { field: 'service', value: 'api' } }],
        environment: 'production',
        by: 'environment',
      },
    ]),
  recordSpans: (logs) =>
    logs.recordSpans([{ range: { fromUs: range.fromUs + 7, toUs: range.toUs }, environment: 'production' }]),
  serviceSpans: (logs) => logs.serviceSpans([{ range, environment: 'production' }]),
  errorBuckets: (logs) => logs.errorBuckets([{ range, kinds: [KIND], environment: 'production', bucketUs: DAY_US }]),
  profiles: (logs) =>
    logs.profiles([
      { ...place, of: 'errors' },
      { ...place, service: null, of: 'others' },
    ]),
  valueSpans: (logs) => logs.valueSpans(fields.map((field) => ({ ...place, field, value: '50' }))),
  startRecords: (logs) => logs.startRecords([{ range, environment: 'production', service: 'api' }]),
  fields: (logs) =>
    Promise.all([undefined, ...fields].map((field) => logs.fields(everywhere, { field, maxFields: 5, maxValues: 5 }))),
  places: (logs) => logs.places(),
  lastTimeUs: (logs) => logs.lastTimeUs(),
  loadsSince: (logs) => logs.loadsSince(range.fromUs),
  ofLoads: async (logs) =>
    logs.ofLoads(await logs.loadsSince(range.fromUs), { sinceUs: range.fromUs, filter: query('started'), limit: 1 }),
}

async function someIds(logs: ProjectLogs): Promise<string[]> {
  const search = { range: MINUTES, filter: query(''), order: 'newest' as const, limit: 5 }
  return (await logs.search(search)).records.map(({ id }) => id)
}
