/** The window a question is about, from times as people write them. */

import type { Warning, WindowInput } from '@tidemark/wire/reading/question'
import type { SearchAnswer } from '@tidemark/wire/reading/search'
import { type Retention, retentionWords } from '@tidemark/wire/retention'
import { anchorOf, LATEST_DEPLOY, parseTime, type TimeExpression } from '@tidemark/wire/time/parse-time'
import {
  parseRange,
  type RangeLimits,
  resolveRange,
  resolveTime,
  type WindowError,
} from '@tidemark/wire/time/resolve-time'
import { beginningBefore } from '@tidemark/wire/time/window-before'
import type { Analyses } from '../../control/analyses/analyses.ts'
import type { Deploys } from '../../control/deploys.ts'
import { AppError } from '../../errors.ts'
import { currentEpisode } from '../../model/analysis.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { widestWindowUs } from '../../model/retention.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { ReadingParts } from './reading-parts.ts'

/** As the `from` of a window: everything there is. */
export const EVER = '1970-01-01'

export type Window = TimeRange & { warnings: Warning[] }

type WindowParts = {
  project: Pick<ProjectWithSettings, 'id'> & Retention
  deploys: Pick<Deploys, 'get' | 'latest'>
  analyses: Pick<Analyses, 'get'>
  nowUs: number
}

/** What the caller calls the two ends, for errors about them. */
export type WindowNames = { from: string; to: string }
const USUAL_NAMES: WindowNames = { from: 'from', to: 'to' }

export function windowParts(
  { control, now }: Pick<ReadingParts, 'control' | 'now'>,
  project: WindowParts['project'],
): WindowParts {
  return { project, deploys: control.deploys, analyses: control.analyses, nowUs: now() * 1_000 }
}

/**
 * Records are kept for the project's retention, so a wider window holds no more of them: it is made as narrow as that, with
 * a warning. Without a `to` it ends now, and stays so for all pages.
 */
export async function resolveWindow(input: WindowInput, parts: WindowParts, names?: WindowNames): Promise<Window> {
  return withinRetention(await resolveUnlimited(input, parts, {}, names), parts.project)
}

export function withinRetention(range: TimeRange, retention: Retention): Window {
  const widestUs = widestWindowUs(retention)
  if (range.toUs - range.fromUs <= widestUs) return { ...range, warnings: [] }
  const fromUs = range.toUs - widestUs
  const message = `Records are kept for ${retentionWords(retention)}, so the window was shortened to begin at ${formatRfc3339(fromUs)}.`
  return { fromUs, toUs: range.toUs, warnings: [{ message }] }
}

/**
 * For what is shown over time or compared with the time before: what is still to come would read as silence. A range that lies
 * in the future as a whole stays one.
 */
export function untilNow({ fromUs, toUs }: TimeRange, nowUs: number): TimeRange {
  return { fromUs, toUs: fromUs < nowUs ? Math.min(toUs, nowUs) : toUs }
}

export function rangeBefore({ fromUs, toUs }: TimeRange): TimeRange {
  return { fromUs: beginningBefore(fromUs, toUs), toUs: fromUs }
}

/** For deploys, which outlive the records. */
export async function resolveUnlimited(
  { from, to, environment }: WindowInput,
  parts: WindowParts,
  limits: RangeLimits = {},
  names: WindowNames = USUAL_NAMES,
): Promise<TimeRange> {
  const parsed = parseRange({ from, to }, limits)
  if (!parsed.ok) throw badTime(parsed.error, names)
  const anchors = new Map<string, number>()
  for (const time of [parsed.from, parsed.to]) {
    const atUs = await anchorTime(time, environment, parts)
    if (atUs !== undefined) anchors.set(anchorKey(anchorOf(time)!), atUs)
  }
  const resolved = resolveRange(parsed, {
    nowUs: parts.nowUs,
    anchor: (anchor, id) => anchors.get(anchorKey({ anchor, id })),
  })
  if (!resolved.ok) throw badTime(resolved.error, names)
  return { fromUs: resolved.fromUs, toUs: resolved.toUs }
}

/** One moment, from a time as people write it; `path` is what the caller calls it. */
export async function resolveMoment(
  at: string,
  parts: WindowParts,
  { path, environment }: { path: string; environment: string | undefined },
): Promise<number> {
  const names = { from: path, to: path }
  const parsed = parseTime(at)
  if (!parsed.ok) throw badTime({ ...parsed.error, field: 'from' }, names)
  const atUs = await anchorTime(parsed.time, environment, parts)
  const resolved = resolveTime(parsed.time, { nowUs: parts.nowUs, anchor: () => atUs })
  if (!resolved.ok) throw badTime({ ...resolved.error, field: 'from' }, names)
  return resolved.timeUs
}

export function usedWindow({ fromUs, toUs }: TimeRange): SearchAnswer['window'] {
  return { from: formatRfc3339(fromUs), to: formatRfc3339(toUs) }
}

/** The latest deploy is that of the environment asked for. An analysis is at its anchor. */
async function anchorTime(
  time: TimeExpression,
  environment: string | undefined,
  { project, deploys, analyses }: WindowParts,
): Promise<number | undefined> {
  const wanted = anchorOf(time)
  if (wanted === undefined) return undefined
  if (wanted.anchor === 'analysis') {
    const analysis = await analyses.get(project.id, wanted.id)
    return analysis === null ? undefined : currentEpisode(analysis).anchorUs
  }
  const isLatest = wanted.id === LATEST_DEPLOY
  const deploy = await (isLatest ? deploys.latest(project.id, environment) : deploys.get(project.id, wanted.id))
  return deploy?.deployedAtUs
}

function anchorKey({ anchor, id }: { anchor: string; id: string }): string {
  return `${anchor}:${id}`
}

function badTime({ field, message }: WindowError, names: WindowNames): AppError {
  const path = names[field]
  return new AppError('invalid_request', `${path}: ${message}`, { fields: [{ path, message }] })
}
