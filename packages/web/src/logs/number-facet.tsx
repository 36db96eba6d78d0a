/** A field of numbers has no few values to choose from: its range and its percentiles instead. */
import { useQuery } from '@tanstack/react-query'
import { joinTerm } from '@tidemark/wire/query/edit'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { printField } from '@tidemark/wire/query/print'
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { valuesQuery } from '../api/logs.ts'
import { significant } from '../text/significant.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import type { LogsAddress } from './logs-address.ts'

type Field = FieldsAnswer['fields'][number]

/** Below this share the most frequent values say nothing about the rest. */
const FEW = 0.5

export function isRange({ type, values, coverage, sampled }: Field): boolean {
  const listed = values.reduce((sum, { count }) => sum + count, 0)
  return type === 'number' && listed < FEW * coverage * sampled
}

type NumberFacetProps = { name: string; address: LogsAddress; asked: number }

export function NumberFacet({ name, address, asked }: NumberFacetProps) {
  const { data, error } = useQuery(valuesQuery(address.projectId, address.filter, name, '', asked))
  const numbers = data?.fields[0]?.numbers
  if (error) return <p className="px-5 py-1 text-small text-muted">{error.message}</p>
  if (!data) return <Skeleton className="mx-5 mb-2 h-[96px]" />
  if (!numbers) return <p className="px-5 py-1 text-small text-muted">No numbers in this range.</p>
  const { min, max, ...rest } = numbers
  const span = max - min || 1
  const shareOf = (number: number) => Math.min(Math.max((number - min) / span, 0), 1) * 100
  const field = printField(fieldNamed(name))
  const narrow = (bound: string) => address.change({ query: joinTerm(address.filter.query ?? '', `${field}:${bound}`) })
  return (
    <div className="mb-2 pr-1 pl-5 text-small tabular-nums">
      <div aria-hidden="true" className="relative my-2 h-1.5 rounded-full bg-border">
        <span className="absolute h-full rounded-full bg-bar-info" style={{ width: `${shareOf(rest.p95)}%` }} />
        {PERCENTILES.map(({ key }) => (
          <span
            key={key}
            className="absolute -top-0.5 h-2.5 w-0.5 bg-muted"
            style={{ left: `calc(${shareOf(rest[key])}% - 1px)` }}
          />
        ))}
      </div>
      <p className="flex justify-between font-mono text-tiny text-faint">
        <span>{words(min)}</span>
        <span>{words(max)}</span>
      </p>
      <ul>
        {PERCENTILES.map(({ key, label }) => (
          <li key={key}>
            <button
              type="button"
              onClick={() => narrow(`>=${rest[key]}`)}
              title={`Only ${name} of ${words(rest[key])} and more`}
              className="flex h-6 pointer-coarse:h-control w-full items-center justify-between rounded-[4px] px-1 text-left hover:bg-hover"
            >
              <span className="text-muted">{label}</span>
              <span className="font-mono">≥ {words(rest[key])}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const PERCENTILES = [
  { key: 'p50', label: 'p50' },
  { key: 'p95', label: 'p95' },
  { key: 'p99', label: 'p99' },
] as const

function words(number: number): string {
  return significant(number, 5)
}
