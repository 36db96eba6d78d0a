/** The records of a trace on one line of time, one lane for each span of each service. No drawing here. */

import { isErrorLevel } from '@tidemark/wire/level'
import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import type { SearchAnswer } from '@tidemark/wire/reading/search'
import { unbroken } from '../../text/unbroken.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { durationUs } from './record-duration.ts'

/** More lanes are no picture any more: the records of the rest share the last one. */
export const MAX_LANES = 30

/** `tookUs`: what the record says that something took. It is logged at the end of that, so it began earlier. */
export type Mark = { row: LogRow; share: number; isError: boolean; tookUs?: number; began?: number }
export type Lane = {
  key: string
  service: string
  /** Empty where records have none, and for the lane of the rest. */
  span: string
  marks: Mark[]
  errors: number
  /** From the first record, or what it says has begun before it, to the last, as shares of the whole. */
  from: number
  to: number
}
export type Waterfall = {
  records: LogRow[]
  /** Of what began first. */
  first: LogRow | undefined
  lanes: Lane[]
  /** Spans whose records share the last lane. */
  restSpans: number
  startUs: number
  lengthUs: number
  errors: number
  services: number
  /** Those between the first and the last record, as shares of the whole. */
  deploys: { row: DeployRow; share: number }[]
}

export function waterfallOf(rows: SearchAnswer['rows']): Waterfall {
  const records = rows.filter((row) => row.kind === 'log').toSorted(byTime)
  const first = records.toSorted((one, other) => beganUs(one) - beganUs(other))[0]
  const startUs = first ? beganUs(first) : 0
  const last = records.at(-1)
  const lengthUs = Math.max(1, (last ? microseconds(last.timestamp) : 0) - startUs)
  const shareOf = ({ timestamp }: { timestamp: string }) => (microseconds(timestamp) - startUs) / lengthUs
  const found = new Map<string, Lane>()
  for (const row of records) {
    const key = JSON.stringify([row.service, row.spanId])
    const lane = found.get(key) ?? { key, service: row.service, span: row.spanId, marks: [], errors: 0, from: 1, to: 0 }
    found.set(key, lane)
    put(lane, markOf(row, shareOf(row), lengthUs))
  }
  const all = [...found.values()].sort((one, other) => one.from - other.from)
  const isCut = all.length > MAX_LANES
  const lanes = isCut ? [...all.slice(0, MAX_LANES - 1), joined(all.slice(MAX_LANES - 1))] : all
  const deploys = rows.flatMap((row) => {
    if (row.kind !== 'deploy') return []
    const share = shareOf(row)
    return share < 0 || share > 1 ? [] : [{ row, share }]
  })
  return {
    records,
    first,
    lanes,
    restSpans: isCut ? all.length - MAX_LANES + 1 : 0,
    startUs,
    lengthUs,
    errors: all.reduce((sum, { errors }) => sum + errors, 0),
    services: new Set(records.map(({ service }) => service)).size,
    deploys,
  }
}

function markOf(row: LogRow, share: number, lengthUs: number): Mark {
  const isError = isErrorLevel(row.level)
  const tookUs = durationUs(row)
  return tookUs === undefined
    ? { row, share, isError }
    : { row, share, isError, tookUs, began: share - tookUs / lengthUs }
}

/** When what the record tells of began. */
const beganUs = (row: LogRow) => microseconds(row.timestamp) - (durationUs(row) ?? 0)

function joined(lanes: readonly Lane[]): Lane {
  const rest: Lane = { key: 'rest', service: '', span: '', marks: [], errors: 0, from: 1, to: 0 }
  for (const { marks } of lanes) for (const mark of marks) put(rest, mark)
  rest.marks.sort((one, other) => one.share - other.share)
  return rest
}

function put(lane: Lane, mark: Mark): void {
  lane.marks.push(mark)
  lane.errors += Number(mark.isError)
  lane.from = Math.min(lane.from, mark.began ?? mark.share)
  lane.to = Math.max(lane.to, mark.share)
}

/** Stable, so that records of one moment stay in the order of the service. */
function byTime(one: LogRow, other: LogRow): number {
  return microseconds(one.timestamp) - microseconds(other.timestamp)
}

/** `Date` stops at milliseconds, in which a whole trace may be over. */
export function microseconds(timestamp: string): number {
  const beyond = /\.\d{3}(\d{1,3})/.exec(timestamp)?.[1] ?? ''
  return Date.parse(timestamp) * 1_000 + Number(beyond.padEnd(3, '0'))
}

/** How long a lane took: what one of its records says, else from its first record to its last. None for a single one. */
export function laneUs({ marks, from, to }: Lane, lengthUs: number): number | undefined {
  const told = marks.reduce((most, { tookUs = 0 }) => Math.max(most, tookUs), 0)
  if (told > 0) return told
  return to > from ? (to - from) * lengthUs : undefined
}

/** `+0`, `+850 µs`, `+12.4 ms`, `+3.08 s`, `+4 min 12 s`: since the trace began. */
export function sinceWords(us: number): string {
  if (us < 1_000) return us === 0 ? '+0' : unbroken(`+${Math.round(us)} µs`)
  if (us < 1e6) return unbroken(`+${trimmed(us / 1e3)} ms`)
  if (us < 60e6) return unbroken(`+${trimmed(us / 1e6)} s`)
  return `+${formatElapsed(Math.round(us / 1e6))}`
}

function trimmed(number: number): string {
  return String(Number(number.toPrecision(3)))
}
