import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query'
import { LEVELS, type Level } from '@tidemark/wire/level'
import { fieldNamed } from '@tidemark/wire/query/fields'
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { Check, ChevronRight, FilterX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { valuesQuery } from '../api/logs.ts'
import { levelLook } from '../marks/level-look.ts'
import { plainLine } from '../text/plain-text.ts'
import { shortCount } from '../text/short-count.ts'
import { unbroken } from '../text/unbroken.ts'
import { classNames } from '../ui/class-names.ts'
import { Later } from '../ui/later.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { LogsAddress } from './logs-address.ts'
import { isRange, NumberFacet } from './number-facet.tsx'
import { type ChosenField, chosenFields } from './query/rest-of-query.ts'

const FIRST = ['level', 'service', 'environment', 'host', 'logger', 'release', 'error.type']
const OPEN = new Set(['level', 'service', 'environment', 'error.type'])
/** Whole texts and ids have too many values to choose from. */
const LEFT_OUT = new Set([
  'message',
  'error.message',
  'error.stack',
  'id',
  'traceId',
  'spanId',
  'pattern',
  'fingerprint',
])

type Field = FieldsAnswer['fields'][number]

export type FacetsProps = {
  address: LogsAddress
  answer: UseQueryResult<FieldsAnswer>
  /** How many records match; undefined while that is counted. */
  total: number | undefined
}

/** Beside the rows, where there is room for it: a panel that is open comes first, and the rows before both. `hasFailed`: the rows say why, and once is enough. */
export function Facets(props: FacetsProps & { hasFailed: boolean; isBesidePanel: boolean }) {
  return (
    <aside
      aria-label="Fields"
      className={classNames(
        'w-60 shrink-0 overflow-y-auto border-r border-border bg-surface py-2 max-lg:hidden',
        props.isBesidePanel && 'max-xl:hidden',
      )}
    >
      <Later>{props.address.isReadable && !props.hasFailed && <FieldList {...props} />}</Later>
    </aside>
  )
}

export function FieldList({ address, answer, total }: FacetsProps) {
  const { data, isPending, error } = answer
  const { chosen, withSiblings } = useSiblings(address, answer)
  const fields = withSiblings(data?.fields ?? []).filter(({ name, values }) => !LEFT_OUT.has(name) && values.length > 0)
  const isEmpty = data?.sampled === 0
  const own = FIRST.flatMap((name) => fields.find((field) => field.name === name) ?? [])
  const others = fields.filter(({ name }) => !FIRST.includes(name))
  return (
    <>
      {data && (
        <p title={isEmpty ? undefined : COUNTED} className="px-3 pb-1 text-tiny text-faint tabular-nums">
          {isEmpty ? 'Nothing to count.' : sampledWords(data.sampled, answer.isPlaceholderData ? undefined : total)}
          {!isEmpty && <span className="sr-only">. {COUNTED}</span>}
        </p>
      )}
      {isPending && (
        <div className="flex flex-col gap-2 px-3">
          {FIRST.map((name) => (
            <Skeleton key={name} className="h-6 pointer-coarse:h-control" />
          ))}
        </div>
      )}
      {error && <p className="px-3 text-muted">{error.message}</p>}
      <div className={isEmpty ? 'text-faint opacity-60 grayscale' : undefined}>
        {[...own, ...others].map((field) =>
          isRange(field, data?.sampled ?? 0) ? (
            <Foldable key={field.name} field={field} isOpen={false}>
              <NumberFacet name={field.name} address={address} asked={answer.dataUpdatedAt} />
            </Foldable>
          ) : (
            <Facet key={field.name} field={field} chosen={chosen.get(field.name)} address={address} />
          ),
        )}
      </div>
    </>
  )
}

const COUNTED = 'Beside each field: the share of these records that have it. Beside each value: how many have that.'

/** Only the newest are looked at where there are very many. */
export function sampledWords(sampled: number, total: number | undefined): string {
  if (total === undefined) return counted(sampled, 'record')
  if (total <= sampled) return sampled === 1 ? 'The only record' : `All ${counted(sampled, 'record')}`
  return `The newest ${withCommas(sampled)} of ${counted(total, 'record')}`
}

/** Each is one more question to the store. */
const MOST_SIBLINGS = 3

/** Of a field that the query names, its other values as well: counted without it, or only the chosen one would be left. */
function useSiblings({ projectId, filter }: LogsAddress, { data, dataUpdatedAt }: UseQueryResult<FieldsAnswer>) {
  const named = chosenFields(filter.query)
    .filter(({ name }) => !LEFT_OUT.has(name))
    .slice(0, MOST_SIBLINGS)
  const answers = useQueries({
    queries: named.map(({ name, rest }) => ({
      ...valuesQuery(projectId, { ...filter, query: rest }, name, '', dataUpdatedAt),
      enabled: data !== undefined,
      placeholderData: keepPreviousData,
    })),
  })
  const values = new Map(named.map(({ name }, at) => [name, answers[at]?.data?.fields[0]?.values]))
  return {
    chosen: new Map(named.map((one) => [one.name, one])),
    withSiblings: (fields: readonly Field[]): Field[] =>
      fields.map((field) => ({ ...field, values: values.get(field.name) ?? field.values })),
  }
}

/** `chosen`: by the query, where it names the field. */
type FacetProps = { field: Field; chosen: ChosenField | undefined; address: LogsAddress }

function Facet({ field, chosen, address }: FacetProps) {
  const values = field.name === 'level' ? byLoudness(field.values) : field.values
  return (
    <Foldable
      field={field}
      isOpen={OPEN.has(field.name)}
      onClear={chosen && (() => address.change({ query: chosen.rest }))}
    >
      <ul className="mb-2">
        {values.map(({ value, count }) => (
          <FacetValue
            key={value}
            name={field.name}
            value={value}
            count={count}
            isChosen={chosen?.values.includes(value) ?? false}
            address={address}
          />
        ))}
      </ul>
    </Foldable>
  )
}

/** `onClear`: where the query names the field. */
type FoldableProps = { field: Field; isOpen: boolean; onClear?: (() => void) | undefined; children: ReactNode }

/** What is folded is not drawn, and so asks nothing of the service. */
function Foldable({ field, isOpen, onClear, children }: FoldableProps) {
  const [isUnfolded, setUnfolded] = useState(isOpen)
  const name = plainLine(field.name)
  return (
    <div className="relative px-1.5">
      <details open={isUnfolded} onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)} className="group">
        <summary className="flex h-control cursor-pointer list-none items-center gap-1 rounded-[4px] px-1 text-small font-medium text-muted hover:bg-hover hover:text-text">
          <ChevronRight
            size={12}
            className="shrink-0 transition-transform duration-[120ms] group-open:rotate-90"
            aria-hidden="true"
          />
          <span className={classNames('min-w-0 flex-1 truncate', onClear && 'pr-10')}>{name}</span>
          {!onClear && (
            <span
              title={`${unbroken(shareWords(field.coverage))} of the records counted have ${name}`}
              className="text-tiny font-normal text-faint tabular-nums"
            >
              {shareWords(field.coverage)}
            </span>
          )}
        </summary>
        {isUnfolded && children}
      </details>
      {onClear && (
        // Not within the summary, whose whole width folds.
        <button
          type="button"
          onClick={onClear}
          title={`Take ${name} out of the query. Its values are counted without it, so that the others are there too`}
          className="absolute top-0.5 right-1.5 flex h-6 pointer-coarse:top-0 pointer-coarse:h-control items-center rounded-[4px] px-1 text-tiny text-accent hover:underline"
        >
          Clear<span className="sr-only"> {name}</span>
        </button>
      )}
    </div>
  )
}

type FacetValueProps = { name: string; value: string; count: number; isChosen: boolean; address: LogsAddress }

function FacetValue({ name, value, count, isChosen, address: { edit } }: FacetValueProps) {
  const look = name === 'level' ? levelLook(value) : undefined
  const field = fieldNamed(name)
  return (
    <li className="group/value flex h-6 pointer-coarse:h-control items-center rounded-[4px] hover:bg-hover">
      <button
        type="button"
        onClick={() => edit({ field, value })}
        aria-pressed={isChosen}
        title={`${isChosen ? 'No longer only' : 'Only'} ${plainLine(value)}`}
        className="relative flex h-full min-w-0 flex-1 items-center gap-2 pr-1 pl-5 text-left text-small"
      >
        {isChosen && <Check size={12} className="absolute left-1 text-accent" aria-hidden="true" />}
        {look && <span className={classNames('size-2 shrink-0 rounded-[2px]', look.bar)} aria-hidden="true" />}
        <span className={classNames('min-w-0 flex-1 truncate font-mono', isChosen && 'font-semibold text-accent')}>
          {value === '' ? <span className="text-faint">empty</span> : plainLine(value)}
        </span>
        <span className="text-tiny text-faint tabular-nums group-hover/value:hidden">{shortCount(count)}</span>
      </button>
      <button
        type="button"
        aria-label={`Exclude ${name} ${plainLine(value)}`}
        title="Exclude"
        onClick={() => edit({ field, value, exclude: true })}
        className="hidden size-6 pointer-coarse:size-control shrink-0 items-center justify-center text-muted group-focus-within/value:flex group-hover/value:flex hover:text-text pointer-coarse:flex"
      >
        <FilterX size={12} aria-hidden="true" />
      </button>
    </li>
  )
}

function byLoudness(values: Field['values']): Field['values'] {
  const loudness = ({ value }: Field['values'][number]) => LEVELS.indexOf(value as Level)
  return values.toSorted((one, other) => loudness(other) - loudness(one))
}
