/** Where the bars and the deploys are in the chart of an analysis. No drawing here. */
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { Occurrences } from '../../api/analyses.ts'
import {
  countWidth,
  flagWidth,
  type GatheredFlag,
  gatherFlags,
  linesPerPixel,
  type PixelLine,
} from '../../marks/gather-flags.ts'
import { type Tick, ticksOf } from '../../time/ticks.ts'
import { type TimeScale, timeScale } from '../../time/time-scale.ts'
import { isBucketUnfinished } from '../../time/unfinished.ts'

export const CHART_HEIGHT = 152
/** Above the bars, for the flags of deploys and for the time it lasted; below them, for the times. */
export const FLAGS_HEIGHT = 20
export const COURSE_HEIGHT = 16
export const AXIS_HEIGHT = 18
const PLOT_HEIGHT = CHART_HEIGHT - FLAGS_HEIGHT - COURSE_HEIGHT - AXIS_HEIGHT
/** Over the highest bar, for its number. */
const ROOM_ABOVE = 16
/** Of a flag with a SHA, and what the word and the sign of others add. */
const NAMED_WIDTH = 76
const EARLIER_WIDTH = 44
const PLUS_WIDTH = 8
/** What is there must be seen. */
const MIN_HEIGHT = 2

export type OccurrenceBar = {
  from: string
  to: string
  count: number
  /** It goes on now. */
  isUnfinished: boolean
  x: number
  width: number
  y: number
  height: number
}
export type DeployLine = {
  x: number
  id: string | null
  sha: string
  at: string
  kind: 'recorded' | 'inferred' | 'other'
  /** Too long before the window to be drawn at its place: it stands at the edge. */
  isEarlier: boolean
}
/** `told`: the deploy in question, which has its name on the flag and says where it stands. */
export type DeployFlag = Omit<GatheredFlag<DeployLine>, 'its'> & { lines: DeployLine[]; told: DeployLine | undefined }
/** From where the rate left its base to where it fell silent. An end that is null lies outside, or has not come. */
/** `hasGrown`: it began earlier, with fewer errors. */
export type CourseSpan = { x: number; width: number; onset: string | null; hasGrown: boolean; end: string | null }
type OccurrencesLayout = {
  scale: TimeScale
  bars: OccurrenceBar[]
  lines: DeployLine[]
  /** Of all but the deploy in question. */
  thinLines: PixelLine[]
  /** In the order they are drawn. */
  flags: DeployFlag[]
  course: CourseSpan
  ticks: Tick[]
  top: number
}

type Charted = Pick<AnalysisDetail, 'correlatedDeploy' | 'course' | 'anchor'> & { occurrences: Occurrences }

export function layoutOccurrences(charted: Charted, width: number): OccurrencesLayout {
  const { occurrences } = charted
  const scale = timeScale(occurrences, width)
  const { fromMs, toMs, endMs: axisEndMs, toX } = scale
  const top = Math.max(1, ...occurrences.buckets.map(({ count }) => count))
  const gap = width / Math.max(1, occurrences.buckets.length) > 4 ? 1 : 0
  const bars = occurrences.buckets.flatMap(({ timestamp, count }): OccurrenceBar[] => {
    const startMs = Date.parse(timestamp)
    const endMs = startMs + occurrences.bucketSeconds * 1_000
    if (count === 0 || endMs <= fromMs) return []
    const x = Math.max(0, toX(startMs))
    const height = Math.max(MIN_HEIGHT, (count / top) * (PLOT_HEIGHT - ROOM_ABOVE))
    return [
      {
        from: timestamp,
        to: new Date(Math.min(endMs, toMs)).toISOString(),
        count,
        isUnfinished: isBucketUnfinished(startMs, toMs, occurrences.bucketSeconds),
        x,
        width: Math.max(1, toX(Math.min(endMs, axisEndMs)) - x - gap),
        y: CHART_HEIGHT - AXIS_HEIGHT - height,
        height,
      },
    ]
  })
  const lines = linesOf(charted).flatMap((line): DeployLine[] => {
    const x = toX(Date.parse(line.at))
    if (x < 0 && line.kind !== 'other') return [{ ...line, x: 0, isEarlier: true }]
    return x < 0 || x > width ? [] : [{ ...line, x, isEarlier: false }]
  })
  return {
    scale,
    bars,
    lines,
    thinLines: linesPerPixel(
      lines.filter(({ kind }) => kind === 'other').map(({ x }) => ({ x, isStrong: false })),
      width,
    ),
    flags: flagsOf(lines, width),
    course: spanOf(charted, scale),
    ticks: ticksOf(fromMs, toMs, toX(toMs)),
    top,
  }
}

const toldOf = (lines: readonly DeployLine[]) => lines.find(({ kind }) => kind !== 'other')

function flagsOf(lines: readonly DeployLine[], width: number): DeployFlag[] {
  const flags = gatherFlags(lines, {
    width,
    widthOf: widthOfFlag,
    anchorOf: (its) => toldOf(its) ?? its[0],
  }).map(({ its, ...flag }): DeployFlag => ({ ...flag, lines: its, told: toldOf(its) }))
  return flags.toSorted((one, other) => Number(one.told !== undefined) - Number(other.told !== undefined))
}

function widthOfFlag(lines: readonly DeployLine[]): number {
  const told = toldOf(lines)
  if (told === undefined) return flagWidth(lines)
  const others = lines.length - 1
  return NAMED_WIDTH + (told.isEarlier ? EARLIER_WIDTH : 0) + (others === 0 ? 0 : PLUS_WIDTH + countWidth(others))
}

/** The correlated one comes last, so that it is drawn over the others; an inferred one is in no list of deploys. */
function linesOf({ occurrences, correlatedDeploy }: Charted): Omit<DeployLine, 'x' | 'isEarlier'>[] {
  const others = occurrences.deploys
    .filter(({ id, status }) => status === 'succeeded' && id !== correlatedDeploy?.deployId)
    .map(({ id, sha, deployedAt }) => ({ id, sha, at: deployedAt, kind: 'other' as const }))
  const at = correlatedDeploy?.deployedAt ?? correlatedDeploy?.committedAt
  if (!correlatedDeploy || !at) return others
  return [...others, { id: correlatedDeploy.deployId, sha: correlatedDeploy.sha, at, kind: correlatedDeploy.source }]
}

function spanOf({ course: { onset, end }, anchor }: Charted, { toX, toMs }: TimeScale): CourseSpan {
  const width = toX(toMs)
  const [from, to] = [toX(Date.parse(onset)), end === null ? width : toX(Date.parse(end))]
  const x = Math.min(Math.max(from, 0), width)
  return {
    x,
    width: Math.max(0, Math.min(to, width) - x),
    onset: from === x ? onset : null,
    hasGrown: Date.parse(onset) > Date.parse(anchor),
    end: end !== null && to >= 0 && to <= width ? end : null,
  }
}
