/** Records around deploys, by service: one question for all of them, and one for errors that have other causes. */

import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import type { LiveDeploy } from '../../analysis/verdict/deploy-concern.ts'
import { LEAST_ERRORS } from '../../analysis/verdict/signals.ts'
import type { Counts, RecordFacts } from '../../analysis/verdict/verdict-facts.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { ErrorSpan, ServiceSpan } from '../../logstore/questions.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { unlessAway } from '../causes/unless-away.ts'
import type { Timed } from './deploy-episodes.ts'

const WINDOW_MINUTES = [5, 15, 60] as const

type Pieces = { ranges: TimeRange[]; afterEnds: number[] }

/** What cannot be read is null: the log store is away. In the order of the deploys. */
export async function readVolumes(
  logs: Pick<ProjectLogs, 'serviceSpans'>,
  live: readonly LiveDeploy[],
  { nowUs, signal }: { nowUs: number; signal: AbortSignal | undefined },
): Promise<Omit<RecordFacts, 'explained'>[] | null> {
  const pieces = live.map((one) => piecesOf(one, nowUs))
  const spans = pieces.flatMap(({ ranges }, at) =>
    ranges.map((range) => ({ range, environment: live[at]!.deploy.environment })),
  )
  if (spans.length === 0) return []
  const found = await unlessAway(logs.serviceSpans(spans, signal), signal)
  if (found === null) return null
  let from = 0
  return pieces.map((one, at) => {
    const own = found.slice(from, from + one.ranges.length)
    from += one.ranges.length
    return volumesOf(live[at]!.deploy.deployedAtUs, one, own)
  })
}

/** No two overlap: windows are put together from them. Those that are over before they begin are empty. */
function piecesOf({ deploy: { deployedAtUs: at }, next }: LiveDeploy, nowUs: number): Pieces {
  const endUs = Math.max(at, Math.min(nowUs, next?.deployedAtUs ?? nowUs))
  const afterEnds = WINDOW_MINUTES.map((minutes) => Math.min(at + minutes * MINUTE_US, endUs))
  const [five, quarter, hour] = afterEnds as [number, number, number]
  const edges = [60, 45, 30, 15, 5, 0].map((minutes) => Math.max(0, at - minutes * MINUTE_US))
  const before = edges.slice(1).map((toUs, index) => ({ fromUs: edges[index]!, toUs }))
  const after = [
    { fromUs: at, toUs: five },
    { fromUs: five, toUs: quarter },
    { fromUs: quarter, toUs: hour },
    { fromUs: hour, toUs: Math.max(hour, Math.min(at + DAY_US, endUs)) },
  ]
  // A whole hour: of a deploy that is seconds old, the same seconds of the day before would say nothing.
  const dayBefore = { fromUs: Math.max(0, at - DAY_US), toUs: Math.max(0, at - DAY_US + HOUR_US) }
  return { ranges: [...before, ...after, dayBefore], afterEnds }
}

function volumesOf(
  deployedAtUs: number,
  { afterEnds }: Pieces,
  spans: readonly ServiceSpan[],
): Omit<RecordFacts, 'explained'> {
  const before = spans.slice(0, 5)
  const [five, quarter, hour, rest, dayBefore] = spans.slice(5) as [
    ServiceSpan,
    ServiceSpan,
    ServiceSpan,
    ServiceSpan,
    ServiceSpan,
  ]
  const befores = [before.slice(4), before.slice(3), before]
  const afters = [[five], [five, quarter], [five, quarter, hour]]
  const volume = (countsOf: (span: ServiceSpan) => Counts) => {
    const usual = (span: ServiceSpan) => countsOf(span).records - countsOf(span).errors
    const [first, second, third, fourth, fifth] = before.map(usual) as [number, number, number, number, number]
    return {
      quarters: [first, second, third, fourth + fifth],
      after: [five, quarter, hour].reduce((sum, span) => sum + countsOf(span).records, 0),
      dayBefore: usual(dayBefore),
    }
  }
  const services = new Set(before.flatMap((span) => span.services.map(({ service }) => service)))
  return {
    windows: WINDOW_MINUTES.map((minutes, at) => ({
      minutes,
      before: { fromUs: deployedAtUs - minutes * MINUTE_US, toUs: deployedAtUs, ...sumOf(befores[at]!) },
      after: { fromUs: deployedAtUs, toUs: afterEnds[at]!, ...sumOf(afters[at]!) },
    })),
    dayBefore: { records: dayBefore.records, errors: dayBefore.errors },
    since: five.records + quarter.records + hour.records + rest.records,
    all: volume((span) => span),
    services: [...services].map((service) => ({ service, ...volume((span) => countsOf(span, service)) })),
  }
}

function sumOf(spans: readonly ServiceSpan[]): Counts {
  const sum = (count: (span: ServiceSpan) => number) => spans.reduce((total, span) => total + count(span), 0)
  return { records: sum(({ records }) => records), errors: sum(({ errors }) => errors) }
}

function countsOf({ services }: ServiceSpan, service: string): Counts {
  return services.find((one) => one.service === service) ?? { records: 0, errors: 0 }
}

/** `others`: their errors are explained by something else than the deploy. */
type ExplainedErrors = { live: LiveDeploy; volumes: Omit<RecordFacts, 'explained'>; others: readonly Timed[] }

/** For each, how many errors of its widest window have other causes. */
export async function readExplained(
  logs: Pick<ProjectLogs, 'errorSpans'>,
  asked: readonly ExplainedErrors[],
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const spans: ErrorSpan[] = []
  const ownerOf: number[] = []
  for (const [at, { live, volumes, others }] of asked.entries()) {
    const after = volumes.windows.at(-1)?.after
    // With so few there is no rise that others could explain.
    if (after === undefined || after.errors < LEAST_ERRORS) continue
    const { environment } = live.deploy
    for (const { kinds } of others.filter(({ analysis }) => analysis.environment === environment)) {
      if (kinds.length === 0) continue
      spans.push({ range: { fromUs: after.fromUs, toUs: after.toUs }, kinds, environment, by: null })
      ownerOf.push(at)
    }
  }
  const counts = asked.map(() => 0)
  const found = spans.length === 0 ? [] : await unlessAway(logs.errorSpans(spans, signal), signal)
  for (const [at, values] of (found ?? []).entries()) {
    const owner = ownerOf[at]!
    counts[owner] = (counts[owner] ?? 0) + values.reduce((sum, { count }) => sum + count, 0)
  }
  return counts
}
