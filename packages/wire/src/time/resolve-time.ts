/** Expressions to times, and two of them to a window. */

import { formatDuration } from './duration.ts'
import { END_OF_TIME_US } from './instant.ts'
import { type AnchorKind, LATEST_DEPLOY, parseTime, type TimeError, type TimeExpression } from './parse-time.ts'
import { DAY_US, HOUR_US, SECOND_US } from './units.ts'

export type TimeContext = {
  nowUs: number
  /** When the deploy or the analysis was; undefined when there is none. */
  anchor(kind: AnchorKind, id: string): number | undefined
}

type ResolvedTime = { ok: true; timeUs: number } | { ok: false; error: TimeError }

/** Times before 1970 and after 2199 become the first and the last one there is. */
export function resolveTime({ base, offsetUs }: TimeExpression, context: TimeContext): ResolvedTime {
  const baseUs = baseTime(base, context)
  if (baseUs === undefined) return { ok: false, error: unknownAnchor(base) }
  const timeUs = Math.min(Math.max(Math.round(baseUs + offsetUs), 0), END_OF_TIME_US - 1)
  return { ok: true, timeUs }
}

function baseTime(base: TimeExpression['base'], { nowUs, anchor }: TimeContext): number | undefined {
  switch (base.kind) {
    case 'instant':
      return base.timeUs
    case 'now':
      return nowUs
    case 'today':
      return startOfDay(nowUs)
    case 'yesterday':
      return startOfDay(nowUs) - DAY_US
    case 'anchor':
      return anchor(base.anchor, base.id)
  }
}

function unknownAnchor(base: TimeExpression['base']): TimeError {
  const { anchor, id } = base.kind === 'anchor' ? base : { anchor: 'deploy', id: '' }
  const message =
    id === LATEST_DEPLOY ? `There is no ${anchor} yet to count from.` : `There is no ${anchor} with the id ${id}.`
  const list = anchor === 'deploy' ? 'deploys' : 'analyses'
  return {
    message: `${message} Take an id from the list of ${list}, or give a time. For example: now-1h`,
    example: 'now-1h',
  }
}

function startOfDay(timeUs: number): number {
  return Math.floor(timeUs / DAY_US) * DAY_US
}

export type RangeInput = { from?: string | undefined; to?: string | undefined }
type ParsedRange = { ok: true; from: TimeExpression; to: TimeExpression } | { ok: false; error: WindowError }
/** `field` is the end at fault. */
export type WindowError = TimeError & { field: 'from' | 'to' }

export type RangeLimits = {
  /** Used when `from` is not given. A time before now is counted back from `to` when that is given. */
  defaultFrom?: string
  maxWidthUs?: number
}

export const DEFAULT_FROM = '-24h'

export function parseRange({ from, to }: RangeInput, { defaultFrom = DEFAULT_FROM }: RangeLimits = {}): ParsedRange {
  const start = parseTime(from ?? defaultFrom)
  if (!start.ok) return { ok: false, error: { ...start.error, field: 'from' } }
  const end = parseTime(to ?? 'now')
  if (!end.ok) return { ok: false, error: { ...end.error, field: 'to' } }
  if (from !== undefined || to === undefined || start.time.base.kind !== 'now') {
    return { ok: true, from: start.time, to: end.time }
  }
  const before = { base: end.time.base, offsetUs: end.time.offsetUs + start.time.offsetUs }
  return { ok: true, from: before, to: end.time }
}

type ResolvedRange = { ok: true; fromUs: number; toUs: number } | { ok: false; error: WindowError }

/** From the first microsecond, to before the last. Refused when it is empty, reversed or too wide. */
export function resolveRange(
  { from, to }: { from: TimeExpression; to: TimeExpression },
  context: TimeContext,
  { maxWidthUs = Number.POSITIVE_INFINITY }: RangeLimits = {},
): ResolvedRange {
  const start = resolveTime(from, context)
  if (!start.ok) return { ok: false, error: { ...start.error, field: 'from' } }
  const end = resolveTime(to, context)
  if (!end.ok) return { ok: false, error: { ...end.error, field: 'to' } }
  const [fromUs, toUs] = [start.timeUs, end.timeUs]
  if (fromUs >= toUs) {
    const message = `from (${iso(fromUs)}) is not before to (${iso(toUs)}).`
    return { ok: false, error: withExample(message, iso(Math.max(0, toUs - HOUR_US))) }
  }
  if (toUs - fromUs > maxWidthUs) {
    const widest = formatDuration(maxWidthUs)
    const message = `The window is wider than ${widest}: from ${iso(fromUs)} to ${iso(toUs)}.`
    return { ok: false, error: withExample(message, iso(Math.ceil((toUs - maxWidthUs) / SECOND_US) * SECOND_US)) }
  }
  return { ok: true, fromUs, toUs }
}

function withExample(message: string, example: string): WindowError {
  return { field: 'from', message: `${message} For example: from ${example}`, example }
}

function iso(timeUs: number): string {
  return new Date(Math.floor(timeUs / 1000)).toISOString().replace('.000Z', 'Z')
}
