import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { isAtLeast } from '@tidemark/wire/people/role'
import { ON_LINES, uploadMapsCommand } from '@tidemark/wire/shell-commands'
import type { SourceMapReleasesAnswer } from '@tidemark/wire/source-maps'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../api/roles.ts'
import { deleteSourceMaps, mappedReleasesQuery, sourceMapsKey } from '../../api/source-maps.ts'
import { ReachWarning } from '../../connect/reach-warning.tsx'
import { IngestKeyLink } from '../../connect/setup-links.tsx'
import { useAddresses } from '../../connect/use-addresses.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { EmptyPart } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { ShowMore } from '../show-more.tsx'
import { ReleaseFiles } from './release-files.tsx'

type Release = SourceMapReleasesAnswer['releases'][number]

const ABOUT = (
  <>
    Errors of bundles are shown, grouped and matched with commits by their source positions. Upload the maps of a
    release before it is deployed:{' '}
    <code className="font-mono text-small text-text">tidemark sourcemaps upload dist --release 1.2.3</code>. They are
    deleted with the last record of the release.
  </>
)

export function SourceMapsSection({ projectId }: { projectId: string }) {
  const found = useInfiniteQuery(mappedReleasesQuery(projectId))
  const { data, error, isPending, refetch } = found
  const canDelete = isAtLeast(useRole(projectId), 'owner')
  const [deleting, setDeleting] = useState<Release>()
  const [opened, setOpened] = useState<string>()
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  const releases = data.pages.flatMap((page) => page.releases)
  return (
    <section>
      <SectionHeading title="Source maps" about={ABOUT} />
      {releases.length === 0 ? (
        <NoMaps projectId={projectId} />
      ) : (
        <Table label="Releases with source maps" head={['Release', 'Files', 'Size', 'Uploaded', 'Last used', '']}>
          {releases.map((one) => (
            <Row key={one.release}>
              <Cell className="font-mono sm:max-w-72 sm:truncate">{plainLine(one.release)}</Cell>
              <Cell>
                <Button
                  look="quiet"
                  className="-ml-2.5"
                  onClick={() => setOpened(opened === one.release ? undefined : one.release)}
                  aria-expanded={opened === one.release}
                  aria-label={`${counted(one.files, 'file')} of ${plainLine(one.release)}`}
                  icon={
                    <ChevronRight
                      size={14}
                      className={opened === one.release ? 'rotate-90' : undefined}
                      aria-hidden="true"
                    />
                  }
                >
                  {withCommas(one.files)}
                </Button>
              </Cell>
              <Cell className="tabular-nums">{formatBytes(one.bytes)}</Cell>
              <Cell className="text-muted">
                <TimeAgo at={one.uploadedAt} />
              </Cell>
              <Cell className="text-muted">
                <TimeAgo at={one.usedAt} />
              </Cell>
              <Cell className="sm:text-right">
                {canDelete && (
                  <Button
                    look="danger"
                    onClick={() => setDeleting(one)}
                    aria-label={`Delete the source maps of ${plainLine(one.release)}`}
                  >
                    Delete
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <ShowMore of={found} />
      {opened !== undefined && <ReleaseFiles key={opened} projectId={projectId} release={opened} />}
      {deleting && <DeleteMaps projectId={projectId} release={deleting} onClose={() => setDeleting(undefined)} />}
    </section>
  )
}

function NoMaps({ projectId }: { projectId: string }) {
  const { ingest } = useAddresses()
  return (
    <EmptyPart>
      <div className="flex flex-col items-start gap-3">
        <p>
          No release has source maps yet. Run this where you build, with an ingest key of this project in{' '}
          <code className="font-mono text-small text-text">TIDEMARK_INGEST_KEY</code>:
        </p>
        <div className="max-w-full">
          <CopyBlock text={uploadMapsCommand(ingest).join(ON_LINES)} label="command" isCode isCopyAbove />
        </div>
        <ReachWarning address={ingest} />
        <IngestKeyLink projectId={projectId} />
      </div>
    </EmptyPart>
  )
}

type DeleteProps = { projectId: string; release: Release; onClose: () => void }

function DeleteMaps({ projectId, release: { release, files }, onClose }: DeleteProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const deletion = useMutation({
    mutationFn: () => deleteSourceMaps(projectId, release),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sourceMapsKey(projectId) })
      say('Source maps deleted')
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Delete these source maps?"
      action="Delete"
      isBusy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
    >
      <p className="[overflow-wrap:anywhere] text-text">{`${counted(files, 'file')} of ${plainLine(release)}`}</p>
      <p className="mt-2">
        New errors of the release are grouped as they are sent. Analyses keep what was read by them.
      </p>
    </Confirm>
  )
}
