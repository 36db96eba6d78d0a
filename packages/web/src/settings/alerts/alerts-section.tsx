import { useQuery } from '@tanstack/react-query'
import { alertsQuery } from '../../api/alerts.ts'
import { useRole } from '../../api/roles.ts'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ChannelList } from './channel-list.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { RuleList } from './rule-list.tsx'

export function AlertsSection({ projectId }: { projectId: string }) {
  const isOwner = useRole(projectId) === 'owner'
  const { data, error, isPending, refetch } = useQuery(alertsQuery(projectId))
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  return (
    <div className="flex flex-col gap-10">
      <RuleList projectId={projectId} alerts={data} isOwner={isOwner} />
      <ChannelList projectId={projectId} alerts={data} isOwner={isOwner} />
      <DeliveryList projectId={projectId} />
    </div>
  )
}
