import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { SettingsSearch } from '@tidemark/wire/dashboard/search'
import { CALLS_KEPT_DAYS, MAX_CALLS_OF_A_KEY } from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { RotateCw } from 'lucide-react'
import { callsByKeyQuery } from '../../api/calls.ts'
import { keysQuery } from '../../api/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { CallFilter } from './call-filter.tsx'
import { CallList } from './call-list.tsx'
import { KeyCalls } from './key-calls.tsx'
import { NoCalls } from './no-calls.tsx'

const ABOUT = `What agents asked with each read key. Each call is kept with the names of its arguments and how much came back, never with their values or the answer, for ${CALLS_KEPT_DAYS} days and at most ${withCommas(MAX_CALLS_OF_A_KEY)} calls for each key.`

const route = getRouteApi('/signed-in/projects/$projectId/settings/$section')

/** What agents asked with the read keys of the project. The filter is in the address. */
export function CallsSection({ projectId }: { projectId: string }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const keys = useQuery(keysQuery(projectId))
  const calls = useQuery(callsByKeyQuery(projectId))
  const error = keys.error ?? calls.error
  if (error) return <Problem error={error} onRetry={() => Promise.all([keys.refetch(), calls.refetch()])} />
  if (!keys.data || !calls.data) return <SkeletonRows />
  const change = (changed: SettingsSearch) =>
    navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['project', projectId] })
  const readKeys = keys.data.keys.filter(({ kind }) => kind === 'read')
  const hasCalls = calls.data.keys.length > 0
  return (
    <div className="flex flex-col gap-10">
      <section aria-labelledby="calls-by-key">
        <SectionHeading
          title="MCP calls"
          id="calls-by-key"
          about={ABOUT}
          action={
            <Button icon={<RotateCw size={14} aria-hidden="true" />} onClick={refresh} isBusy={calls.isRefetching}>
              Refresh
            </Button>
          }
        />
        {hasCalls ? (
          <KeyCalls projectId={projectId} keys={readKeys} calls={calls.data.keys} />
        ) : (
          <NoCalls projectId={projectId} hasKeys={readKeys.length > 0} />
        )}
      </section>
      {hasCalls && (
        <section aria-label="Calls">
          <CallFilter search={search} keys={readKeys} names={calls.data.names} onChange={change} />
          <CallList
            projectId={projectId}
            search={search}
            keys={readKeys}
            onShowAll={() => change({ key: undefined, call: undefined, errors: undefined })}
          />
        </section>
      )}
    </div>
  )
}
