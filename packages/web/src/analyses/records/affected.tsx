import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { plainLine } from '../../text/plain-text.ts'
import { Section } from '../section.tsx'
import { recordsSearch } from './records-search.ts'

type AffectedProps = { projectId: string; analysis: AnalysisDetail }

const LISTS = [
  { field: 'service', title: 'Services', of: (analysis: AnalysisDetail) => analysis.services },
  { field: 'host', title: 'Hosts', of: (analysis: AnalysisDetail) => analysis.hosts },
  { field: 'release', title: 'Releases', of: (analysis: AnalysisDetail) => analysis.releases },
] as const

/** More than these fold away: a service that is deployed often has dozens of releases. */
const SHOWN = 6

/** Whom it reaches, and where it happens. A value opens its records. */
export function Affected({ projectId, analysis }: AffectedProps) {
  const lists = LISTS.filter(({ of }) => of(analysis).length > 0)
  const { users } = analysis
  if (lists.length === 0 && users === undefined) return null
  return (
    <Section id="affected" title="Affected">
      <div className="divide-y divide-border rounded-control border border-border bg-surface">
        {users && <Users users={users} />}
        {lists.length > 0 && (
          <div className="grid gap-4 p-4 md:grid-cols-3 md:gap-8">
            {lists.map(({ field, title, of }) => (
              <ValueBars
                key={field}
                projectId={projectId}
                analysis={analysis}
                field={field}
                title={title}
                values={of(analysis)}
              />
            ))}
          </div>
        )}
      </div>
    </Section>
  )
}

function Users({ users: { field, count } }: { users: NonNullable<AnalysisDetail['users']> }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="text-large font-semibold tabular-nums">{counted(count, 'user')} affected</span>
      <span className="text-small text-muted">
        in this episode, by different values of <span className="font-mono">{plainLine(field)}</span>
      </span>
    </p>
  )
}

type BarsProps = AffectedProps & { field: string; title: string; values: AnalysisDetail['services'] }

function ValueBars({ title, values, ...of }: BarsProps) {
  const total = Math.max(
    1,
    values.reduce((sum, { count }) => sum + count, 0),
  )
  // One alone is not worth folding.
  const shown = values.length === SHOWN + 1 ? values : values.slice(0, SHOWN)
  const rest = values.slice(shown.length)
  return (
    <div className="min-w-0">
      <h3 className="mb-1.5 text-small font-medium text-muted">{title}</h3>
      <ul aria-label={title} className="flex flex-col gap-1.5">
        {shown.map((one) => (
          <ValueBar key={one.value} {...of} {...one} total={total} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details className="mt-1.5">
          <summary className="disclosure text-small text-muted hover:text-text">and {rest.length} more</summary>
          <ul aria-label={`More ${title.toLowerCase()}`} className="mt-1.5 flex flex-col gap-1.5">
            {rest.map((one) => (
              <ValueBar key={one.value} {...of} {...one} total={total} />
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

type BarProps = AffectedProps & { field: string; value: string; count: number; total: number }

function ValueBar({ projectId, analysis, field, value, count, total }: BarProps) {
  return (
    <li>
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId }}
        search={recordsSearch(analysis, { field: fieldNamed(field), value })}
        title={`Records of ${plainLine(value) || 'an empty value'}`}
        className="group block rounded-[4px] hover:bg-hover"
      >
        <span className="flex items-baseline gap-2 font-mono text-small">
          <span className="min-w-0 flex-1 truncate group-hover:underline">
            {value === '' ? <span className="text-faint">empty</span> : plainLine(value)}
          </span>
          <span className="text-tiny text-muted tabular-nums">{withCommas(count)}</span>
        </span>
        <span className="mt-0.5 block h-1 overflow-hidden rounded-full bg-border" aria-hidden="true">
          <span className="block h-full rounded-full bg-muted" style={{ width: `${(count / total) * 100}%` }} />
        </span>
      </Link>
    </li>
  )
}
