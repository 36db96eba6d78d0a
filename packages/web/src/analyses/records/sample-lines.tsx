import { getRouteApi, Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { isIncomplete } from '@tidemark/wire/analyses/is-incomplete'
import { around, traceSearch } from '@tidemark/wire/dashboard/records-page'
import type { LogRow } from '@tidemark/wire/reading/row'
import { cutWithin } from '@tidemark/wire/text/cut-text'
import { Logs } from 'lucide-react'
import { levelLook } from '../../marks/level-look.ts'
import { plainBeginning, plainLine } from '../../text/plain-text.ts'
import { lineOf, linesBelow } from '../../text/record-line.ts'
import { formatFull, formatMoment } from '../../time/format-time.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyPart } from '../../ui/empty.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { Section } from '../section.tsx'
import { recordsSearch } from './records-search.ts'
import { whatDiffers } from './what-differs.ts'

const route = getRouteApi('/signed-in/projects/$projectId/analyses/$analysisId')

/** More would never fit into a line; the record itself shows all of it. */
const LINE_CHARACTERS = 600
const VALUE_CHARACTERS = 18
/** Enough to tell one trace from another. */
const TRACE_CHARACTERS = 8

const BEFORE: Record<NonNullable<AnalysisDetail['before']>['by'], string> = {
  trace: 'on the same trace as the newest sample, oldest first',
  host: 'on the same host as the newest sample, oldest first',
  time: 'in the same environment as the newest sample, oldest first',
}

type PartProps = { projectId: string; analysis: AnalysisDetail }

export function Samples({ projectId, analysis }: PartProps) {
  const { samples } = analysis
  return (
    <Section title="Samples" aside={samples.length > 0 && 'newest first'}>
      {samples.length === 0 ? (
        <EmptyPart>
          {isIncomplete(analysis)
            ? 'The records could not be read.'
            : 'Its records are older than the retention of the project, so there is none left to show.'}
        </EmptyPart>
      ) : (
        <>
          <Lines projectId={projectId} rows={samples} label="Samples" title={analysis.title} />
          <Link
            to="/projects/$projectId/logs"
            params={{ projectId }}
            search={recordsSearch(analysis)}
            className={classNames(buttonClass(), 'mt-2')}
          >
            <Logs size={14} aria-hidden="true" />
            View all records
          </Link>
        </>
      )}
    </Section>
  )
}

export function RecordsBefore({ projectId, analysis: { before } }: PartProps) {
  if (before === null || before.rows.length === 0) return null
  return (
    <Section id="before" title="Just before" aside={BEFORE[before.by]}>
      <Lines projectId={projectId} rows={before.rows} label="Records just before" />
    </Section>
  )
}

/** Each row opens its record in the panel of the page. `title`: of the errors that the rows are samples of. */
type LinesProps = { projectId: string; rows: readonly LogRow[]; label: string; title?: string }

function Lines({ projectId, rows, label, title }: LinesProps) {
  const { zone } = usePreferences()
  const { record } = route.useSearch()
  const lines = title === undefined ? rows.map(lineOf) : linesBelow(title, rows)
  const differences = title === undefined ? [] : whatDiffers(rows)
  return (
    <ul aria-label={label} className="overflow-hidden rounded-control border border-border bg-surface py-1">
      {rows.map((row, at) => {
        const look = levelLook(row.level)
        return (
          <li
            key={row.id}
            className={classNames(
              'relative flex items-center gap-x-3 pr-3 font-mono text-small hover:bg-hover sm:h-6',
              row.id === record && 'bg-accent-surface',
            )}
          >
            <span className={classNames('absolute inset-y-0 left-1 w-[3px]', look.bar)} aria-hidden="true" />
            <Link
              to="."
              search={(before) => ({ ...before, record: row.id })}
              resetScroll={false}
              aria-current={row.id === record || undefined}
              title={`Open the record of ${formatFull(row.timestamp, zone)}`}
              // On a phone the message has a line of its own below the time and the service. The target is the row.
              className={classNames(
                'flex min-w-0 flex-auto items-center gap-x-3 py-1 pl-[19px] after:absolute after:inset-0 max-sm:flex-wrap sm:py-0',
                differences[at] && 'sm:max-w-[calc(80%-12px)] sm:shrink-0',
              )}
            >
              <span className="shrink-0 whitespace-nowrap text-muted tabular-nums">
                <time dateTime={row.timestamp}>{formatMoment(row.timestamp, zone)}</time>
              </span>
              <span className={classNames('w-3 shrink-0 text-center font-semibold', look.text)}>
                <span aria-hidden="true">{look.letter}</span>
                <span className="sr-only">{row.level}</span>
              </span>
              <span className="min-w-0 flex-1 truncate text-muted sm:w-24 sm:flex-none">{plainLine(row.service)}</span>
              <span className={classNames('min-w-0 flex-auto truncate max-sm:basis-full', look.isLoud && look.text)}>
                {plainBeginning(lines[at] ?? '', LINE_CHARACTERS)}
              </span>
            </Link>
            {differences[at] && <Differences projectId={projectId} row={row} differences={differences[at]} />}
          </li>
        )
      })}
    </ul>
  )
}

type DifferencesProps = { projectId: string; row: LogRow; differences: ReturnType<typeof whatDiffers>[number] }

/** These shrink before the message does, down to a fifth of the line. One without room is left out. */
function Differences({ projectId, row, differences }: DifferencesProps) {
  return (
    <span className="flex h-4 max-w-[56%] min-w-1/5 flex-wrap justify-end gap-x-3 overflow-hidden text-tiny text-muted max-sm:hidden">
      {differences.map(({ field, value }) => {
        const shown = field === 'traceId' ? value.slice(0, TRACE_CHARACTERS) : cutWithin(value, VALUE_CHARACTERS)
        const [short, whole] = [shown, value].map((one) => `${plainLine(field)}=${plainLine(one)}`)
        const words =
          short === whole ? (
            short
          ) : (
            <>
              <span aria-hidden="true">{short}</span>
              <span className="sr-only">{whole}</span>
            </>
          )
        if (field === 'traceId') {
          return (
            <Link
              key={field}
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={traceSearch(value, around(row.timestamp))}
              title={`Show the trace: ${whole}`}
              // Above the link that fills the row.
              className="relative max-w-full truncate rounded-[2px] text-accent hover:underline"
            >
              {words}
            </Link>
          )
        }
        return (
          <span key={field} title={whole} className="max-w-full truncate">
            {words}
          </span>
        )
      })}
    </span>
  )
}
