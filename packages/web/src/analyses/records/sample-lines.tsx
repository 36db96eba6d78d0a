import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { isIncomplete } from '@tidemark/wire/analyses/is-incomplete'
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
import { recordsSearch, sampleSearch } from './records-search.ts'
import { whatDiffers } from './what-differs.ts'

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

/** `title`: of the errors that the rows are samples of. */
type LinesProps = { projectId: string; rows: readonly LogRow[]; label: string; title?: string }

function Lines({ projectId, rows, label, title }: LinesProps) {
  const { zone } = usePreferences()
  const lines = title === undefined ? rows.map(lineOf) : linesBelow(title, rows)
  const differences = title === undefined ? [] : whatDiffers(rows)
  return (
    <ul aria-label={label} className="overflow-hidden rounded-control border border-border bg-surface py-1">
      {rows.map((row, at) => {
        const look = levelLook(row.level)
        return (
          <li key={row.id}>
            <Link
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={sampleSearch(row)}
              title={`Open the record of ${formatFull(row.timestamp, zone)}`}
              // On a phone what was said has a line of its own, under when and by whom.
              className="relative flex items-center gap-x-3 py-1 pr-3 pl-[19px] font-mono text-small hover:bg-hover max-sm:flex-wrap sm:h-6 sm:py-0"
            >
              <span className={classNames('absolute inset-y-0 left-1 w-[3px]', look.bar)} aria-hidden="true" />
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
              {differences[at] && <Differences differences={differences[at]} />}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** The message comes first: these give way to it, down to a fifth of the line, and one without room is left out. */
function Differences({ differences }: { differences: ReturnType<typeof whatDiffers>[number] }) {
  return (
    <span className="flex h-4 max-w-[56%] min-w-1/5 shrink-[1000] flex-wrap justify-end gap-x-3 overflow-hidden text-tiny text-muted max-sm:hidden">
      {differences.map(({ field, value }) => {
        const shown = field === 'traceId' ? value.slice(0, TRACE_CHARACTERS) : cutWithin(value, VALUE_CHARACTERS)
        const [short, whole] = [shown, value].map((one) => `${plainLine(field)}=${plainLine(one)}`)
        return (
          <span key={field} title={whole} className="max-w-full truncate">
            {short === whole ? (
              short
            ) : (
              <>
                <span aria-hidden="true">{short}</span>
                <span className="sr-only">{whole}</span>
              </>
            )}
          </span>
        )
      })}
    </span>
  )
}
