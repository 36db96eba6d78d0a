import { Link, useNavigate } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { Flag } from 'lucide-react'
import { type PointerEvent, useMemo, useState } from 'react'
import type { Occurrences } from '../../api/analyses.ts'
import { TopCount } from '../../marks/top-count.tsx'
import { shortSha } from '../../text/short-sha.ts'
import { formatBarStart, formatFull } from '../../time/format-time.ts'
import { TimeAxis } from '../../time/time-axis.tsx'
import { UNFINISHED_WORDS, UnfinishedBucket } from '../../time/unfinished-bucket.tsx'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences, type Zone } from '../../ui/preferences.ts'
import { useWidth } from '../../ui/use-width.ts'
import {
  AXIS_HEIGHT,
  CHART_HEIGHT,
  COURSE_HEIGHT,
  type CourseSpan,
  type DeployLine,
  FLAGS_HEIGHT,
  layoutOccurrences,
  type OccurrenceBar,
} from './occurrences-layout.ts'

/** The room that a flag with its SHA needs on its right. */
const FLAG_WIDTH = 76
/** The same for the word beside a moment of its course. */
const WORD_WIDTH = 52

type ChartProps = { projectId: string; analysis: AnalysisDetail; occurrences: Occurrences }

export function OccurrencesChart({ projectId, analysis, occurrences }: ChartProps) {
  const { zone } = usePreferences()
  const navigate = useNavigate()
  const [box, width] = useWidth<HTMLDivElement>()
  const [pointed, setPointed] = useState<OccurrenceBar>()
  const { bars, lines, course, ticks, top, fromMs, toMs } = useMemo(
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
        <TimeAxis
          {...{ ticks, zone, fromMs, toMs, width }}
          lineY={CHART_HEIGHT - AXIS_HEIGHT}
          wordsY={CHART_HEIGHT - 5}
        />
        <UnfinishedBucket
          {...{ fromMs, toMs, width, bucketSeconds: occurrences.bucketSeconds }}
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
      </svg>
      {lines.map((line) => (
        <Line key={`${line.id} ${line.at}`} projectId={projectId} line={line} zone={zone} width={width} />
      ))}
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
function Course({ course: { x, width: length, onset, end }, zone, width }: CourseProps) {
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
            title={`It began ${formatFull(onset, zone)}`}
            className={classNames(word, x >= WORD_WIDTH ? 'right-full' : 'left-0')}
          >
            Began
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
type LineProps = { projectId: string; line: DeployLine; zone: Zone; width: number }

/** Solid for recorded deploys, dashed for what was inferred, thin for those that are not the one in question. */
function Line({ projectId, line: { id, sha, at, x, kind, isEarlier }, zone, width }: LineProps) {
  const isOther = kind === 'other'
  const label = `${isEarlier ? 'Before this chart: ' : ''}${kind === 'inferred' ? 'Inferred from the repository:' : 'Deploy'} ${shortSha(sha)}, ${formatFull(at, zone)}`
  const isLeft = x > width - FLAG_WIDTH
  const flagClass = classNames(
    'absolute top-0 flex h-[18px] items-center gap-1 px-1 text-tiny font-semibold -outline-offset-2',
    isLeft ? 'right-0 rounded-l-[4px]' : '-left-px rounded-r-[4px]',
    kind === 'recorded' && 'bg-deploy text-surface',
    kind === 'inferred' && 'border border-dashed border-deploy bg-surface text-deploy',
    isOther && 'bg-deploy-surface text-deploy',
  )
  const content = (
    <>
      <Flag size={10} className="pointer-events-none shrink-0" aria-hidden="true" />
      {!isOther && <span className="pointer-events-none font-mono">{shortSha(sha)}</span>}
      {isEarlier && <span className="pointer-events-none whitespace-nowrap">earlier</span>}
    </>
  )
  return (
    <div className="pointer-events-none absolute top-0 w-0" style={{ left: x, bottom: AXIS_HEIGHT }}>
      {!isEarlier && (
        <div
          aria-hidden="true"
          className={classNames(
            'absolute inset-y-0 -left-px border-deploy',
            isOther ? 'border-l opacity-60' : 'border-l-2',
            kind === 'inferred' && 'border-dashed',
          )}
        />
      )}
      {id === null ? (
        <span title={label} className={classNames(flagClass, 'pointer-events-auto')}>
          {content}
        </span>
      ) : (
        <Link
          to="/projects/$projectId/deploys/$deployId"
          params={{ projectId, deployId: id }}
          aria-label={label}
          title={label}
          className={classNames(flagClass, 'pointer-events-auto')}
        >
          {content}
        </Link>
      )}
    </div>
  )
}

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
