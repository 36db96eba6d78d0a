import { useInfiniteQuery } from '@tanstack/react-query'
import { withCommas } from '@tidemark/wire/text/counted'
import { mappedFilesQuery } from '../../api/source-maps.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { ShowMore } from '../show-more.tsx'

/** The files of one release, a page at a time. */
export function ReleaseFiles({ projectId, release }: { projectId: string; release: string }) {
  const found = useInfiniteQuery(mappedFilesQuery(projectId, release))
  const { data, error, isPending, refetch } = found
  return (
    <div className="mt-6">
      <h3 className="mb-2 font-semibold [overflow-wrap:anywhere]">{`Files of ${plainLine(release)}`}</h3>
      {isPending && <SkeletonRows />}
      {error && <Problem error={error} onRetry={refetch} />}
      {data && (
        <Table label="Files of the release" head={['File', 'Sources', 'Size', 'Uploaded']}>
          {data.pages
            .flatMap((page) => page.files)
            .map((one) => (
              <Row key={one.file}>
                <Cell className="font-mono sm:max-w-96 sm:truncate">{plainLine(one.file)}</Cell>
                <Cell className="tabular-nums">{withCommas(one.sources)}</Cell>
                <Cell className="tabular-nums">{formatBytes(one.bytes)}</Cell>
                <Cell className="text-muted">
                  <TimeAgo at={one.uploadedAt} />
                </Cell>
              </Row>
            ))}
        </Table>
      )}
      <ShowMore of={found} />
    </div>
  )
}
