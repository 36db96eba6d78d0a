import { useInfiniteQuery } from '@tanstack/react-query'
import { DELIVERIES_KEPT_DAYS } from '@tidemark/wire/alerts/alert-kinds'
import { counted } from '@tidemark/wire/text/counted'
import { RotateCw } from 'lucide-react'
import { deliveriesQuery } from '../../api/alerts.ts'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyPart } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { ShowMore } from '../show-more.tsx'
import { STATES } from './alert-words.ts'

export function DeliveryList({ projectId }: { projectId: string }) {
  const query = useInfiniteQuery(deliveriesQuery(projectId))
  const { data, error, isPending, refetch, isRefetching } = query
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  const deliveries = data.pages.flatMap((page) => page.deliveries)
  const waiting = data.pages[0]?.waiting ?? 0
  const held =
    waiting === 0
      ? ''
      : ` ${counted(waiting, 'notification')} waiting: for quiet hours to end, for the next hour, or a few seconds for more to come.`
  return (
    <section>
      <SectionHeading
        title="Deliveries"
        about={`Alerts of the last ${DELIVERIES_KEPT_DAYS} days, with those that are tried again. Tests are not listed.${held}`}
        action={
          <Button icon={<RotateCw size={14} aria-hidden="true" />} onClick={() => refetch()} isBusy={isRefetching}>
            Refresh
          </Button>
        }
      />
      {deliveries.length === 0 ? (
        <EmptyPart>No alert has been sent yet.</EmptyPart>
      ) : (
        <Table label="Deliveries" head={['When', 'Channel', 'What', 'State', 'Tries', 'Next try', 'Answer']}>
          {deliveries.map((one) => (
            <Row key={one.id}>
              <Cell>
                <TimeAgo at={one.createdAt} />
              </Cell>
              <Cell className="sm:max-w-32 sm:truncate">{plainLine(one.channelName)}</Cell>
              <Cell className="sm:max-w-80 sm:truncate">
                <span title={plainLine(one.title)}>{plainLine(one.title)}</span>
              </Cell>
              <Cell>
                <Badge tone={STATES[one.state].tone}>{STATES[one.state].word}</Badge>
              </Cell>
              <Cell className="tabular-nums">{one.attempts}</Cell>
              <Cell>
                <TimeAgo at={one.nextTryAt} never="–" />
              </Cell>
              <Cell className="sm:max-w-64 sm:truncate">{plainLine(one.lastAnswer ?? '')}</Cell>
            </Row>
          ))}
        </Table>
      )}
      <ShowMore of={query} label="Show older" />
    </section>
  )
}
