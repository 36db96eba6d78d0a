/** What is wrong now: one sentence, then what it counts. Worth a screen on a wall, so it keeps itself up to date. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { overviewFilter } from '@tidemark/wire/dashboard/first-requests'
import type { OverviewAnswer } from '@tidemark/wire/reading/overview'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { overviewQuery } from '../api/overview.ts'
import { firstArrivalsQuery, projectQuery } from '../api/projects.ts'
import { NoRecordsYet } from '../connect/no-records-yet.tsx'
import { NoPassword } from '../marks/no-password.tsx'
import { plainLine, plainSentence } from '../text/plain-text.ts'
import { formatClockSeconds, formatFull, formatShort, zoneName } from '../time/format-time.ts'
import { isTrendUnfinished } from '../time/unfinished.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames, dimmed } from '../ui/class-names.ts'
import { usePreferences } from '../ui/preferences.ts'
import { Problem } from '../ui/problem.tsx'
import { Attention } from './attention.tsx'
import { Headline } from './headline.tsx'
import { LatestDeploys } from './latest-deploys.tsx'
import { Levels } from './levels.tsx'
import type { Asked } from './links.ts'
import { OverviewPlaceholder } from './overview-placeholder.tsx'
import { OverviewGrid } from './panel.tsx'
import { Services } from './services.tsx'
import { SilentServices } from './silent-services.tsx'

const route = getRouteApi('/signed-in/projects/$projectId/overview')

export function OverviewPage() {
  const { projectId } = route.useParams()
  const asked: Asked = overviewFilter(route.useSearch())
  const found = useQuery(overviewQuery(projectId, asked))
  const isNew = useIsNew(projectId)
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <h1 className="sr-only">Overview</h1>
      <div className="flex max-w-[1800px] flex-col gap-5 px-4 py-5 2xl:px-6">
        {isNew ? (
          <>
            <NoPassword />
            <NoRecordsYet projectId={projectId} />
          </>
        ) : (
          <>
            {found.error && <Problem error={found.error} onRetry={found.refetch} />}
            {found.isPending && (
              <OverviewPlaceholder>
                <NoPassword />
              </OverviewPlaceholder>
            )}
            {found.data && (
              <div
                aria-busy={found.isPlaceholderData}
                className={classNames('flex flex-col gap-5', dimmed(found.isPlaceholderData))}
              >
                <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
                  <Headline projectId={projectId} asked={asked} overview={found.data} />
                  <Loaded atMs={found.dataUpdatedAt} isBusy={found.isFetching} onRefresh={found.refetch} />
                </div>
                <NoPassword />
                <Overview projectId={projectId} asked={asked} overview={found.data} />
              </div>
            )}
          </>
        )}
      </div>
    </main>
  )
}

type OverviewProps = { projectId: string; asked: Asked; overview: OverviewAnswer }

function Overview({ projectId, asked, overview }: OverviewProps) {
  const { warnings, empty, services, deploys, silentServices } = overview
  return (
    <>
      {warnings.length > 0 && (
        <div className="flex flex-col gap-1">
          {warnings.map(({ message }) => (
            <p key={message} className="text-small text-warn">
              {plainSentence(message)}
            </p>
          ))}
        </div>
      )}
      {empty !== null && <p className="text-muted">{plainLine(empty)}</p>}
      <div className="flex flex-col gap-2">
        <Levels projectId={projectId} asked={asked} overview={overview} />
        <Before window={overview.baseWindow} hasRecords={overview.baseRecords > 0} />
      </div>
      <OverviewGrid
        first={<Attention projectId={projectId} asked={asked} overview={overview} />}
        beside={
          <>
            <SilentServices projectId={projectId} services={silentServices} />
            <LatestDeploys projectId={projectId} deploys={deploys} />
          </>
        }
        last={
          <Services
            {...{ projectId, asked, services }}
            isTrendUnfinished={isTrendUnfinished(overview.window)}
            isCompared={overview.baseRecords > 0}
          />
        }
      />
    </>
  )
}

function Loaded({ atMs, isBusy, onRefresh }: { atMs: number; isBusy: boolean; onRefresh: () => void }) {
  const { zone } = usePreferences()
  const at = new Date(atMs).toISOString()
  return (
    <div className="ml-auto flex items-center gap-1 text-small text-muted">
      <span>
        as of{' '}
        <time dateTime={at} title={formatFull(at, zone)} className="tabular-nums">
          {formatClockSeconds(at, zone)}
        </time>
      </span>
      <IconButton label="Refresh" onClick={onRefresh} disabled={isBusy}>
        <RefreshCw size={14} aria-hidden="true" />
      </IconButton>
    </div>
  )
}

/** What each change is against. */
function Before({ window: { from, to }, hasRecords }: { window: OverviewAnswer['baseWindow']; hasRecords: boolean }) {
  const { zone } = usePreferences()
  return (
    <p className="text-small text-faint tabular-nums">
      {hasRecords ? 'Compared with the time just before: ' : 'No records in the time just before to compare with: '}
      {formatShort(from, zone)} to {formatShort(to, zone)} {zoneName(to, zone)}
    </p>
  )
}

/** Whether nothing was ever sent to the project; asked again until something was. */
function useIsNew(projectId: string): boolean {
  const queryClient = useQueryClient()
  const { data: project } = useQuery(projectQuery(projectId))
  const isNew = project?.lastLogAt === null
  const { data: arrivals } = useQuery({ ...firstArrivalsQuery(projectId), enabled: isNew })
  const hasFirstRecord = arrivals?.record ?? false
  useEffect(() => {
    if (hasFirstRecord) queryClient.invalidateQueries({ queryKey: ['project', projectId] })
  }, [hasFirstRecord, projectId, queryClient])
  return isNew && !hasFirstRecord
}
