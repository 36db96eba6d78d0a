import { useQuery } from '@tanstack/react-query'
import type { KeyHealth } from '@tidemark/wire/people/ingest-health'
import { KEY_STATE_WORDS } from '@tidemark/wire/people/key-kind'
import { withCommas } from '@tidemark/wire/text/counted'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { ingestHealthQuery } from '../../api/ingest-health.ts'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyPart } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { REFUSAL_WORDS, refusedWords } from './refusal-words.ts'

export function IngestSection({ projectId }: { projectId: string }) {
  const { data, error, isPending, refetch } = useQuery(ingestHealthQuery(projectId))
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  const refusing = data.keys.filter(({ refused }) => refused.length > 0)
  return (
    <div className="flex flex-col gap-10">
      <section aria-labelledby="received">
        <SectionHeading
          title="Received"
          id="received"
          about="Records per ingest key, counted by the hour they arrived in."
        />
        {data.keys.length === 0 ? (
          <EmptyPart>There are no ingest keys that can send.</EmptyPart>
        ) : (
          <Table label="Received by key" head={['Key', 'Last received', 'Records, 24 h', 'Records, 7 days']}>
            {data.keys.map((key) => (
              <Row key={key.id} isFaded={key.state !== 'active'}>
                <Cell className="font-medium sm:w-[40%]">
                  <KeyName apiKey={key} />
                </Cell>
                <Cell>
                  <TimeAgo at={key.lastReceivedAt} />
                </Cell>
                <Cell className="tabular-nums">{withCommas(key.records.lastDay)}</Cell>
                <Cell className="tabular-nums">{withCommas(key.records.lastWeek)}</Cell>
              </Row>
            ))}
          </Table>
        )}
      </section>
      <section aria-labelledby="refused">
        <SectionHeading
          title="Refused"
          id="refused"
          about="What was sent with a key of this project in the last 7 days and not stored. Requests without a valid key belong to no project: they are only in the metrics of the service."
        />
        {refusing.length === 0 ? (
          <p className="flex items-center gap-2 rounded-control border border-border bg-surface p-4">
            <CircleCheck size={16} className="shrink-0 text-good" aria-hidden="true" />
            Nothing was refused in the last 7 days.
          </p>
        ) : (
          <div className="flex flex-col gap-4">
            {refusing.map((key) => (
              <RefusedOf key={key.id} apiKey={key} />
            ))}
          </div>
        )}
      </section>
    </div>
  )
}

function KeyName({ apiKey: { name, lastFour, state } }: { apiKey: KeyHealth }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-2">
      <span className="min-w-0 truncate sm:max-w-64">{plainLine(name)}</span>
      <span className="shrink-0 font-mono text-small font-normal text-muted">…{lastFour}</span>
      {state !== 'active' && <Badge>{KEY_STATE_WORDS[state]}</Badge>}
    </span>
  )
}

/** The reasons of one key, each with what helps. */
function RefusedOf({ apiKey }: { apiKey: KeyHealth }) {
  return (
    <section
      aria-label={`Refused of ${plainLine(apiKey.name)}`}
      className="rounded-control border border-border bg-surface"
    >
      <h3 className="border-b border-border px-3 py-2 font-medium">
        <KeyName apiKey={apiKey} />
      </h3>
      <ul>
        {apiKey.refused.map((refused) => {
          const { title, cure } = REFUSAL_WORDS[refused.reason]
          const { lastDay, lastWeek } = refused.count
          return (
            <li
              key={refused.reason}
              className="grid gap-x-4 gap-y-0.5 border-b border-border px-3 py-2 last:border-0 sm:grid-cols-[minmax(0,1fr)_150px_88px]"
            >
              <span>
                <CircleAlert size={14} className="mr-1.5 inline align-[-2.5px] text-warn" aria-hidden="true" />
                <span className="font-medium">{title}</span>
                <span className="block text-small text-pretty text-muted">{cure}</span>
              </span>
              <span className="tabular-nums">
                {refusedWords(refused, lastWeek)} in 7 days
                <span className="block text-small text-muted">{withCommas(lastDay)} in 24 h</span>
              </span>
              <span className="text-small text-muted sm:text-right">
                <span className="sm:sr-only">Last </span>
                <TimeAgo at={refused.lastAt} />
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
