import { useInfiniteQuery } from '@tanstack/react-query'
import { auditQuery } from '../../api/audit.ts'
import { ExactTime } from '../../marks/exact-time.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { ShowMore } from '../show-more.tsx'
import { actionWords, type Detail, readDetails, whoWords } from './audit-words.ts'

export function AuditSection({ projectId }: { projectId: string }) {
  const found = useInfiniteQuery(auditQuery(projectId))
  const { data, error, isPending, refetch } = found
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  const entries = data.pages.flatMap((page) => page.entries)
  return (
    <section>
      <SectionHeading
        title="Audit"
        about="Who changed what, newest first. Each entry is chained to the one before, so that none can be removed unnoticed."
      />
      <Table label="Audit" head={['When', 'Who', 'What', 'Details']}>
        {entries.map(({ seq, at, by, byName, action, details }) => (
          <Row key={seq}>
            <Cell>
              <ExactTime at={at} />
            </Cell>
            <Cell>{plainLine(whoWords({ by, byName }))}</Cell>
            <Cell>{plainLine(actionWords(action))}</Cell>
            <Cell className="text-small text-muted sm:min-w-64 sm:!whitespace-normal">
              <Details details={readDetails(details)} />
            </Cell>
          </Row>
        ))}
      </Table>
      <ShowMore of={found} label="Show older" />
    </section>
  )
}

/** A value goes to the next line as a whole, and is broken only where it is longer than one. */
function Details({ details }: { details: readonly Detail[] }) {
  if (details.length === 0) return null
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {details.map(({ name, value, kind }) => (
        <span key={name} className="max-w-full min-w-0 [overflow-wrap:anywhere]">
          {name}{' '}
          {kind === 'time' ? (
            <span className="text-text">
              <ExactTime at={value} />
            </span>
          ) : (
            <span className={classNames('font-mono', kind === 'id' ? 'text-faint' : 'text-text')}>{value}</span>
          )}
        </span>
      ))}
    </span>
  )
}
