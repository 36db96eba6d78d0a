import type { UseQueryResult } from '@tanstack/react-query'
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { counted } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { plainLine } from '../text/plain-text.ts'
import { unbroken } from '../text/unbroken.ts'
import { classNames, dimmed } from '../ui/class-names.ts'
import { Later } from '../ui/later.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { FacetValues } from './facet-values.tsx'
import { useIsOther } from './last-read.ts'
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

/** Next to the rows. An open panel takes its room on narrow screens. `hasFailed`: the rows already show the error. */
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
  const { data, isPending, error, isPlaceholderData: isOld } = answer
  const isOfOther = useIsOther(isOld, JSON.stringify(address.filter))
  const chosen = chosenFields(address.filter.query).filter(({ name }) => !LEFT_OUT.has(name))
  // The histogram often knows first that nothing matches. Counts of the query before would then be wrong.
  const isEmpty = isOld ? total === 0 : data?.total === 0 || data?.sampled === 0
  const matching = isOld ? total : (data?.total ?? total)
  const listed = (data?.fields ?? []).filter(({ name, values }) => !LEFT_OUT.has(name) && values.length > 0)
  const fields = withChosenFields(isEmpty ? [] : listed, chosen)
  const own = FIRST.flatMap((name) => fields.find((field) => field.name === name) ?? [])
  const others = fields.filter(({ name }) => !FIRST.includes(name))
  return (
    <>
      {data && (
        <p
          title={isEmpty ? undefined : aboutCounts(data, matching)}
          className="px-3 pb-1 text-tiny text-faint tabular-nums"
        >
          {isEmpty ? 'No records match.' : counted(matching ?? data.sampled, 'record')}
          {!isEmpty && <span className="sr-only">. {aboutCounts(data, matching)}</span>}
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
      <div className={dimmed(isOfOther && !isEmpty)}>
        {[...own, ...others].map((field) => {
          const named = chosen.find(({ name }) => name === field.name)
          return isRange(field) ? (
            <Foldable key={field.name} field={field} isOpen={false}>
              <NumberFacet name={field.name} address={address} asked={answer.dataUpdatedAt} />
            </Foldable>
          ) : (
            <Foldable
              key={field.name}
              field={field}
              isOpen={OPEN.has(field.name) || named !== undefined}
              onClear={named && (() => address.change({ query: named.rest }))}
            >
              <FacetValues
                field={field}
                total={matching}
                chosen={named}
                address={address}
                asked={answer.dataUpdatedAt}
              />
            </Foldable>
          )
        })}
      </div>
    </>
  )
}

const COUNTED = 'Next to each field: the share of records that have it. Next to each value: how many records have it.'

/** Numbers that are estimates say so themselves; this says what from. */
export function aboutCounts({ fields, sampled }: Pick<FieldsAnswer, 'fields' | 'sampled'>, total = sampled): string {
  if (fields.every((field) => field.sampled >= total)) return COUNTED
  return `${COUNTED} Attributes are counted in the newest ${counted(sampled, 'record')}; ≈ marks an estimate.`
}

/** Keeps the fields that the query names, also where no record matches: their values lead back. */
function withChosenFields(fields: readonly Field[], chosen: readonly ChosenField[]): Field[] {
  const missing = chosen.filter(({ name }) => fields.every((field) => field.name !== name))
  return [...fields, ...missing.map(({ name }) => ({ ...NO_VALUES, name }))]
}

const NO_VALUES: Omit<Field, 'name'> = {
  kind: 'attribute',
  type: 'text',
  coverage: 0,
  sampled: 0,
  distinct: 0,
  values: [],
}

/** `onClear`: where the query names the field. */
type FoldableProps = { field: Field; isOpen: boolean; onClear?: (() => void) | undefined; children: ReactNode }

/** Folded values are not rendered, and therefore not requested. */
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
              title={`${unbroken(shareWords(field.coverage))} of records have ${name}`}
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
          title={`Remove ${name} from the query. Its values are counted without it, so the others are listed too`}
          className="absolute top-0.5 right-1.5 flex h-6 pointer-coarse:top-0 pointer-coarse:h-control items-center rounded-[4px] px-1 text-tiny text-accent hover:underline"
        >
          Clear<span className="sr-only"> {name}</span>
        </button>
      )}
    </div>
  )
}
