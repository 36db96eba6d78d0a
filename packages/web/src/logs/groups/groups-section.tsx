/** Records by the values of a field: over time above, as a list with bars below. */
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { counted } from '@tidemark/wire/text/counted'
import { useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { dimmed } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { FailedAbove } from '../failed.tsx'
import type { LogsAddress } from '../logs-address.ts'
import { NothingFound } from '../nothing-found.tsx'
import { QueryWarnings } from '../query/query-warnings.tsx'
import { Unreadable } from '../unreadable.tsx'
import { useCurrentRow } from '../use-current-row.ts'
import { GroupColumns, GroupRow } from './group-row.tsx'
import { isOfPatterns, measuredOf, narrowedTo } from './grouping.ts'
import { GroupsChart } from './groups-chart.tsx'
import { GroupsToolbar } from './groups-toolbar.tsx'
import type { GroupsState } from './use-groups.ts'

type SectionProps = {
  address: LogsAddress
  state: GroupsState
  fields: FieldsAnswer | undefined
  /** Nothing was ever sent to the project. */
  isNew: boolean
}

const NO_FIELDS: FieldsAnswer['fields'] = []

export function GroupsSection({ address, state, fields, isNew }: SectionProps) {
  const { filter, isReadable, change } = address
  const { grouping, answer, fresh, isOld, groups, error, retry } = state
  const { field, measure, of } = grouping
  const scroller = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<string | null>()
  const top = useMemo(
    () => Math.max(...groups.map((group) => Math.abs(measuredOf(group, measure) ?? 0)), 0) || 1,
    [groups, measure],
  )
  /** The chart has its colours by rank, whatever order the rows have. */
  const rankOf = useMemo(() => new Map(answer?.groups.map((group, at) => [group, at])), [answer])

  const openRecords = (index: number) => {
    const value = groups[index]?.values[0]
    if (value === undefined) return
    const query = narrowedTo(filter.query, field, value)
    if (query !== undefined) change({ query, view: undefined, sort: undefined })
  }
  const { current, open } = useCurrentRow({
    count: groups.length,
    of: [filter, field, measure, of, grouping.sort],
    scroller,
    onOpen: openRecords,
    onMove: (index) => scroller.current?.querySelector(`[data-row="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
  })

  const needsField = measure !== 'count' && of === ''
  const isAsked = isReadable && !needsField && !isOfPatterns(field)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <GroupsToolbar address={address} grouping={grouping} fields={fields?.fields ?? NO_FIELDS} />
      <QueryWarnings address={address} warnings={fresh?.warnings} />
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden"
      >
        {!isReadable && <Unreadable address={address} isLeft={groups.length > 0} />}
        {isReadable && isOfPatterns(field) && (
          <Empty title="Patterns have their own view">
            <p>It counts what messages say, and compares it with the time before or a deploy.</p>
            <Button className="mt-4" onClick={() => change({ view: 'patterns', group: undefined })}>
              Show patterns
            </Button>
          </Empty>
        )}
        {isReadable && needsField && (
          <p className="px-3 py-4 text-muted">
            Choose the field to measure, above: one that holds numbers for percentiles.
          </p>
        )}
        {isAsked && error && <FailedAbove error={error} onRetry={retry} isLeft={groups.length > 0} />}
        {isAsked && !answer && !error && (
          <div className="flex flex-col gap-3 p-3">
            <Skeleton className="h-[136px]" />
            <SkeletonRows />
          </div>
        )}
        {(isAsked || !isReadable) && answer && answer.empty === null && (
          <div className={dimmed(isOld)}>
            <GroupsChart
              answer={answer}
              grouping={grouping}
              pointed={pointed}
              onZoom={(from, to) => change({ from, to })}
            />
            <GroupColumns address={address} grouping={grouping} />
            <ul aria-label="Groups" onPointerLeave={() => setPointed(undefined)}>
              {groups.map((group, index) => (
                <GroupRow
                  key={JSON.stringify(group.values)}
                  group={group}
                  index={index}
                  rank={rankOf.get(group) ?? index}
                  grouping={grouping}
                  top={top}
                  total={answer.total}
                  isCurrent={index === current}
                  address={address}
                  onOpen={open}
                  onPoint={setPointed}
                />
              ))}
            </ul>
            {answer.otherGroups > 0 && (
              <p className="border-t border-border px-3 py-2 text-small text-muted tabular-nums">
                And {counted(answer.otherGroups, 'more group')}. Narrow the query or the time range to see them.
              </p>
            )}
          </div>
        )}
        {fresh && fresh.empty !== null && <NothingFound address={address} why={fresh.empty} isNew={isNew} />}
      </div>
    </div>
  )
}
