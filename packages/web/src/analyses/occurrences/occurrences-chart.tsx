import { useNavigate } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { type PointerEvent, useMemo, useState } from 'react'
import type { Occurrences } from '../../api/analyses.ts'
import { DeployLines } from '../../marks/deploy-lines.tsx'
import { TopCount } from '../../marks/top-count.tsx'
import { formatBarStart, formatFull } from '../../time/format-time.ts'
import { TimeAxis } from '../../time/time-axis.tsx'
import { UNFINISHED_WORDS, UnfinishedBucket } from '../../time/unfinished-bucket.tsx'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences, type Zone } from '../../ui/preferences.ts'
import { useWidth } from '../../ui/use-width.ts'
import { DeployFlags } from './deploy-flags.tsx'
import {
  AXIS_HEIGHT,
  CHART_HEIGHT,
  COURSE_HEIGHT,
  type CourseSpan,
  FLAGS_HEIGHT,
  layoutOccurrences,
  type OccurrenceBar,
} from './occurrences-layout.ts'

/** The room for the word beside a moment of its course. */
const WORD_WIDTH = 52

type ChartProps = { projectId: string; analysis: AnalysisDetail; occurrences: Occurrences }

export function OccurrencesChart({ projectId, analysis, occurrences }: ChartProps) {
  const { zone } = usePreferences()
  const navigate = useNavigate()
  const [box, width] = useWidth<HTMLDivElement>()
  const [pointed, setPointed] = useState<OccurrenceBar>()
  const { bars, lines, thinLines, flags, course, ticks, top, scale } = useMemo(
    () => layoutOccurrences({ ...analysis, occurrences }, Math.max(width, 1)),
    [analysis, occurrences, width],
  )
  // A bar of another window is not there to be pointed at.
  const hovered = pointed && bars.includes(pointed) ? pointed : undefined
  const barAt = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    return bars.find((bar) => x >= bar.x - 1 && x <= bar.x + bar.width + 1)
  }
  const total = bars.reduce((sum, { count }) => sum + count, 0)
  return (
    <div
      ref={box}
      className={classNames('relative', hovered && 'cursor-pointer')}
      style={{ height: CHART_HEIGHT }}
      onPointerMove={(event) => setPointed(event.target instanceof HTMLAnchorElement ? undefined : barAt(event))}
      onPointerLeave={() => setPointed(undefined)}
      onPointerUp={(event) => {
        const bar = event.target instanceof Element && event.target.closest('a') ? undefined : barAt(event)
        if (!bar) return
        const { recordsQuery: query, environment } = analysis
        navigate({
          to: '/projects/$projectId/logs',
          params: { projectId },
          search: { query, environment, from: bar.from, to: bar.to },
        })
      }}
    >
      <svg
        width={width}
        height={CHART_HEIGHT}
        role="img"
        aria-label={`${counted(total, 'error')} over time, at most ${withCommas(top)} at once, and ${counted(lines.length, 'deploy')}`}
        className="block"
      >
        <TimeAxis {...{ ticks, zone, width, ...scale }} lineY={CHART_HEIGHT - AXIS_HEIGHT} wordsY={CHART_HEIGHT - 5} />
        <UnfinishedBucket
          x={scale.unfinishedX}
          width={width}
          y={FLAGS_HEIGHT + COURSE_HEIGHT}
          height={CHART_HEIGHT - FLAGS_HEIGHT - COURSE_HEIGHT - AXIS_HEIGHT}
        />
        {bars.map((bar) => (
          <rect
            key={bar.from}
            x={bar.x}
            y={bar.y}
            width={bar.width}
            height={bar.height}
            opacity={hovered && hovered !== bar ? 0.6 : 1}
            className="fill-bar-error"
          />
        ))}
        <DeployLines lines={thinLines} top={0} bottom={CHART_HEIGHT - AXIS_HEIGHT} />
      </svg>
      <DeployFlags projectId={projectId} environment={analysis.environment} flags={flags} width={width} />
      <Course course={course} zone={zone} width={width} />
      {total > 0 && <TopCount count={top} top={FLAGS_HEIGHT + COURSE_HEIGHT} />}
      {total === 0 && (
        <p className="absolute inset-x-0 top-12 text-center text-muted">
          {occurrences.buckets.length === 0 ? 'The records could not be read.' : 'No errors in this window.'}
        </p>
      )}
      {hovered && <BarTip bar={hovered} width={width} zone={zone} />}
    </div>
  )
}

/** How long it went on, as a span above the bars. The words stand before and after it, where there is room. */
function Course({ course: { x, width: length, onset, hasGrown, end }, zone, width }: CourseProps) {
  if (length === 0 && onset === null) return null
  const word = 'pointer-events-auto absolute top-0 bg-surface px-1 text-tiny font-medium whitespace-nowrap text-muted'
  return (
    <div
      className="pointer-events-none absolute"
      style={{ left: x, width: length, top: FLAGS_HEIGHT, height: COURSE_HEIGHT }}
    >
      <div aria-hidden="true" className="absolute inset-x-0 top-2 border-t border-faint" />
      {onset !== null && (
        <>
          <Cap />
          <span
            title={`It began${hasGrown ? ' to grow' : ''} ${formatFull(onset, zone)}`}
            className={classNames(word, x >= WORD_WIDTH ? 'right-full' : 'left-0')}
          >
            {hasGrown ? 'Grew' : 'Began'}
          </span>
        </>
      )}
      {end !== null && (
        <>
          <Cap isEnd />
          <span
            title={`It ended ${formatFull(end, zone)}`}
            className={classNames(word, x + length <= width - WORD_WIDTH ? 'left-full' : 'right-0')}
          >
            Ended
          </span>
        </>
      )}
    </div>
  )
}

function Cap({ isEnd = false }: { isEnd?: boolean }) {
  return (
    <div
      aria-hidden="true"
      className={classNames('absolute top-1 h-2 border-l border-faint', isEnd ? 'right-0' : 'left-0')}
    />
  )
}

type CourseProps = { course: CourseSpan; zone: Zone; width: number }
function BarTip({ bar, width, zone }: { bar: OccurrenceBar; width: number; zone: Zone }) {
  return (
    <div
      className="float pointer-events-none absolute z-20 px-2 py-1 text-small tabular-nums"
      style={{
        top: FLAGS_HEIGHT + 2,
        ...(bar.x > width - 200 ? { right: width - bar.x + 6 } : { left: bar.x + bar.width + 6 }),
      }}
    >
      <p className="text-muted">
        {formatBarStart(bar.from, zone, (Date.parse(bar.to) - Date.parse(bar.from)) / 1_000)}
      </p>
      {bar.isUnfinished && <p className="text-muted">{UNFINISHED_WORDS}</p>}
      <p>{counted(bar.count, 'error')}</p>
    </div>
  )
}
