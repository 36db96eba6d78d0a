import { useInfiniteQuery } from '@tanstack/react-query'
import { auditQuery } from '../api/members.ts'
import { usePreferences } from '../frame/preferences.ts'
import { plainLine } from '../text/plain-text.ts'
import { formatFull } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Cell, Row, Table } from '../ui/table.tsx'
import { SectionHeading } from './section-heading.tsx'

export function AuditSection({ projectId }: { projectId: string }) {
  const { zone } = usePreferences()
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(projectId),
  )
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  const entries = data.pages.flatMap((page) => page.entries)
  return (
    <section>
      <SectionHeading
        title="Audit"
        about="Who changed what, newest first. Each entry is chained to the one before, so that none can be removed unseen."
      />
      <Table label="Audit" head={['When', 'Who', 'What', 'Details']}>
        {entries.map(({ seq, at, by, byName, action, details }) => (
          <Row key={seq}>
            <Cell className="tabular-nums">{formatFull(at, zone)}</Cell>
            <Cell>{plainLine(byName ?? by)}</Cell>
            <Cell className="font-mono text-small">{action}</Cell>
            <Cell className="min-w-64 font-mono text-small !whitespace-normal text-muted [overflow-wrap:anywhere]">
              {Object.keys(details).length === 0 ? '' : plainLine(JSON.stringify(details))}
            </Cell>
          </Row>
        ))}
      </Table>
      {hasNextPage && (
        <div className="mt-3">
          <Button onClick={() => fetchNextPage()} isBusy={isFetchingNextPage}>
            Show older
          </Button>
        </div>
      )}
    </section>
  )
}
