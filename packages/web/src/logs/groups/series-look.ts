import { LEVELS } from '@tidemark/wire/level'
import { LEVEL_LOOK } from '../../marks/level-look.ts'

/** How a series is drawn, as an area, as a line and as the mark before its name. */
type SeriesLook = { fill: string; stroke: string; mark: string; dash?: string }

const LOOKS: readonly SeriesLook[] = [
  { fill: 'fill-series-1', stroke: 'stroke-series-1', mark: 'bg-series-1' },
  { fill: 'fill-series-2', stroke: 'stroke-series-2', mark: 'bg-series-2' },
  { fill: 'fill-series-3', stroke: 'stroke-series-3', mark: 'bg-series-3' },
  { fill: 'fill-series-4', stroke: 'stroke-series-4', mark: 'bg-series-4' },
  { fill: 'fill-series-5', stroke: 'stroke-series-5', mark: 'bg-series-5' },
  { fill: 'fill-series-6', stroke: 'stroke-series-6', mark: 'bg-series-6' },
  { fill: 'fill-series-7', stroke: 'stroke-series-7', mark: 'bg-series-7' },
  { fill: 'fill-series-8', stroke: 'stroke-series-8', mark: 'bg-series-8' },
]
const OTHERS_LOOK: SeriesLook = {
  fill: 'fill-strong-border',
  stroke: 'stroke-muted',
  mark: 'bg-strong-border',
  dash: '3 3',
}

const LEVEL_STROKE: Record<string, string> = {
  trace: 'stroke-trace',
  debug: 'stroke-debug',
  info: 'stroke-info',
  warn: 'stroke-warn',
  error: 'stroke-error',
  fatal: 'stroke-fatal',
}

/** `value` is undefined for all others. Levels look as they do everywhere. */
export function seriesLook(field: string, value: string | null | undefined, at: number): SeriesLook {
  if (value === undefined) return OTHERS_LOOK
  const level = field === 'level' ? LEVELS.find((one) => one === value) : undefined
  if (level)
    return { fill: LEVEL_LOOK[level].fill, stroke: LEVEL_STROKE[level] ?? 'stroke-info', mark: LEVEL_LOOK[level].bar }
  return LOOKS[at] ?? OTHERS_LOOK
}
