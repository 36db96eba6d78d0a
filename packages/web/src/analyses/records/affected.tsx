import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { plainLine } from '../../text/plain-text.ts'
import { Section } from '../section.tsx'
import { recordsSearch } from './records-search.ts'

type AffectedProps = { projectId: string; analysis: AnalysisDetail }

const LISTS = [
  { field: 'service', title: 'Services', of: (analysis: AnalysisDetail) => analysis.services },
  { field: 'host', title: 'Hosts', of: (analysis: AnalysisDetail) => analysis.hosts },
  { field: 'release', title: 'Releases', of: (analysis: AnalysisDetail) => analysis.releases },
] as const

/** Where it happens. A value opens its records. */
export function Affected({ projectId, analysis }: AffectedProps) {
  const lists = LISTS.filter(({ of }) => of(analysis).length > 0)
  if (lists.length === 0) return null
  return (
    <Section id="affected" title="Affected">
      <div className="grid gap-4 rounded-control border border-border bg-surface p-4 md:grid-cols-3 md:gap-8">
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
    </Section>
  )
}

type BarsProps = AffectedProps & { field: string; title: string; values: AnalysisDetail['services'] }

function ValueBars({ projectId, analysis, field, title, values }: BarsProps) {
  const total = Math.max(
    1,
    values.reduce((sum, { count }) => sum + count, 0),
  )
  return (
    <div className="min-w-0">
      <h3 className="mb-1.5 text-small font-medium text-muted">{title}</h3>
      <ul aria-label={title} className="flex flex-col gap-1.5">
        {values.map(({ value, count }) => (
          <li key={value}>
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
                <span className="text-tiny text-muted tabular-nums">{count.toLocaleString('en-US')}</span>
              </span>
              <span className="mt-0.5 block h-1 overflow-hidden rounded-full bg-border" aria-hidden="true">
                <span className="block h-full rounded-full bg-muted" style={{ width: `${(count / total) * 100}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
