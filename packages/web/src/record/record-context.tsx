import { useQuery } from '@tanstack/react-query'
import { DEFAULT_NEIGHBOURS } from '@tidemark/wire/limits'
import type { LogRow } from '@tidemark/wire/reading/row'
import { useState } from 'react'
import { contextQuery } from '../api/logs.ts'
import { levelLook } from '../marks/level-look.ts'
import { plainBeginning, plainLine } from '../text/plain-text.ts'
import { lineOf } from '../text/record-line.ts'
import { formatClock } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { usePreferences } from '../ui/preferences.ts'
import { Problem } from '../ui/problem.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import type { RecordAddress } from './value-menu.tsx'

const MANY = 50

const WAYS = [
  { by: 'time', label: 'Nearby' },
  { by: 'trace', label: 'Same trace' },
  { by: 'host', label: 'Same host' },
] as const

type Way = (typeof WAYS)[number]['by']

/** The records just before and after, whatever the query leaves out. */
export function RecordContext({ address, record }: { address: RecordAddress; record: LogRow }) {
  const [by, setBy] = useState<Way>('time')
  const [around, setAround] = useState(DEFAULT_NEIGHBOURS)
  const { data, error, isPending } = useQuery(contextQuery(address.projectId, record.id, by, around))
  const isOffered: Record<Way, boolean> = { time: true, trace: record.traceId !== '', host: record.host !== '' }
  return (
    <div className="flex flex-col gap-2">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Which records</legend>
        {WAYS.filter((way) => isOffered[way.by]).map((way) => (
          <Button
            key={way.by}
            look={way.by === by ? 'plain' : 'quiet'}
            aria-pressed={way.by === by}
            onClick={() => setBy(way.by)}
          >
            {way.label}
          </Button>
        ))}
      </fieldset>
      {isPending && <SkeletonRows className="h-5" />}
      {error && <Problem error={error} />}
      {data && (
        <ol aria-label="Records around it" className="font-mono text-small">
          {[...data.before, data.record, ...data.after].map((row) => (
            <ContextLine
              key={row.id}
              row={row}
              isThis={row.id === record.id}
              onOpen={() => address.change({ record: row.id }, { replace: true })}
            />
          ))}
        </ol>
      )}
      {data && around === DEFAULT_NEIGHBOURS && (
        <Button look="quiet" className="self-start" onClick={() => setAround(MANY)}>
          Show more
        </Button>
      )}
    </div>
  )
}

function ContextLine({ row, isThis, onOpen }: { row: LogRow; isThis: boolean; onOpen: () => void }) {
  const { zone } = usePreferences()
  const look = levelLook(row.level)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        aria-current={isThis || undefined}
        className={classNames(
          'flex w-full items-baseline gap-2 px-1 py-0.5 text-left hover:bg-hover',
          isThis && 'bg-accent-surface font-medium',
        )}
      >
        <span className="shrink-0 text-muted tabular-nums">
          <time dateTime={row.timestamp}>{formatClock(row.timestamp, zone)}</time>
        </span>
        <span className={classNames('shrink-0 font-semibold', look.text)} title={row.level}>
          {look.letter}
        </span>
        <span className="w-20 shrink-0 truncate text-muted" title={plainLine(row.service)}>
          {plainLine(row.service)}
        </span>
        <span className="min-w-0 truncate">{plainBeginning(lineOf(row), 400)}</span>
      </button>
    </li>
  )
}
