/** The values of one field in the facets: the most frequent, more of them on demand, and a search over all. */
import { useQuery } from '@tanstack/react-query'
import { LEVELS, type Level } from '@tidemark/wire/level'
import { joinTerm } from '@tidemark/wire/query/edit'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { printField, printValue } from '@tidemark/wire/query/print'
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { Check, Filter, FilterX, Search } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { facetQuery } from '../api/logs.ts'
import { levelLook } from '../marks/level-look.ts'
import { plainLine } from '../text/plain-text.ts'
import { shortCount } from '../text/short-count.ts'
import { classNames } from '../ui/class-names.ts'
import type { LogsAddress } from './logs-address.ts'
import type { ChosenField } from './query/rest-of-query.ts'

type Field = FieldsAnswer['fields'][number]

/** How many values each press of "More" leads to. Beyond the last, the search finds values. */
const STEPS = [5, 20, 100]
/** Around chosen values, more of the others are of interest. */
const STEPS_WITH_CHOSEN = STEPS.slice(1)

/** `total`: how many records match; undefined while unknown. `asked`: when the list of fields was read. */
type FacetValuesProps = {
  field: Field
  total: number | undefined
  chosen: ChosenField | undefined
  address: LogsAddress
  asked: number
}

export function FacetValues({ field, total, chosen, address, asked }: FacetValuesProps) {
  const { projectId, filter } = address
  const [step, setStep] = useState(0)
  const [text, setText] = useState('')
  const contains = useDeferredValue(text.trim())
  const steps = chosen ? STEPS_WITH_CHOSEN : STEPS
  const limit = steps[Math.min(step, steps.length - 1)]!
  const isLast = limit === steps.at(-1)
  // Counted without its own terms, or only the chosen values would be left.
  const inFilter = chosen ? { ...filter, query: chosen.rest } : filter
  const isSampled = field.kind === 'attribute' && field.sampled < (total ?? Number.POSITIVE_INFINITY)
  const isAsking = chosen !== undefined || contains !== '' || step > 0 || isSampled
  const { data, error, isFetching } = useQuery({
    ...facetQuery(projectId, inFilter, { name: field.name, contains, limit }, asked),
    enabled: isAsking,
  })
  const answer = isAsking ? data : undefined
  const found = answer ? (answer.fields[0] ?? NONE) : field
  const size = answer?.total ?? (chosen ? undefined : total)
  const values = withChosen(found.values, contains === '' ? chosen : undefined)
  const left = found.distinct - found.values.length
  const hasSearch = text !== '' || Math.max(field.distinct, found.distinct) > STEPS[0]!
  return (
    <div aria-busy={isFetching} className="mb-2">
      {hasSearch && (
        <label className="mb-0.5 ml-4 flex h-6 pointer-coarse:h-control items-center gap-1.5 rounded-[4px] border border-border px-1.5 text-faint focus-within:border-strong-border">
          <Search size={11} className="shrink-0" aria-hidden="true" />
          <span className="sr-only">Search the values of {plainLine(field.name)}</span>
          <input
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || text === '') return
              event.stopPropagation()
              setText('')
            }}
            placeholder="Search values"
            className="min-w-0 flex-1 bg-transparent text-small text-text outline-none placeholder:text-faint"
          />
        </label>
      )}
      <ul>
        {(field.name === 'level' ? byLoudness(values) : values).map(({ value, count }) => (
          <FacetValue
            key={value}
            name={field.name}
            value={value}
            number={count === undefined ? undefined : countShown(count, found.sampled, size)}
            chosen={chosen}
            address={address}
          />
        ))}
      </ul>
      {error && <p className="px-5 text-small text-muted">{error.message}</p>}
      {contains !== '' && answer && values.length === 0 && !error && (
        <p role="status" className="px-5 text-small text-muted">
          {answer.total === null || answer.sampled < answer.total
            ? `None in the newest ${counted(answer.sampled, 'record')}.`
            : 'No value contains this.'}
        </p>
      )}
      <p className="flex gap-2 pl-5 text-tiny text-faint empty:hidden">
        {left > 0 && !isLast && (
          <MoreButton onClick={() => setStep(step + 1)}>
            More<span className="sr-only"> values of {plainLine(field.name)}</span> ({withCommas(left)})
          </MoreButton>
        )}
        {left > 0 && isLast && <span>{withCommas(left)} more: search for them</span>}
        {step > 0 && (
          <MoreButton onClick={() => setStep(0)}>
            Fewer<span className="sr-only"> values of {plainLine(field.name)}</span>
          </MoreButton>
        )}
      </p>
    </div>
  )
}

const NONE = { values: [], distinct: 0, sampled: 0 }

function MoreButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-6 pointer-coarse:h-control items-center gap-1 rounded-[4px] text-accent hover:underline"
    >
      {children}
    </button>
  )
}

type ShownValue = { value: string; count?: number }

/** A chosen value that no record has, or few, is shown too: only there can it be removed. */
function withChosen(values: readonly ShownValue[], chosen: ChosenField | undefined): ShownValue[] {
  const missing = (chosen?.values ?? []).filter((value) => values.every((one) => one.value !== value))
  return [...missing.map((value) => ({ value })), ...values]
}

function byLoudness(values: readonly ShownValue[]): ShownValue[] {
  const loudness = ({ value }: ShownValue) => LEVELS.indexOf(value as Level)
  return values.toSorted((one, other) => loudness(other) - loudness(one))
}

type CountShown = { text: string; title: string }

/** A count of the newest `sampled` of `total` records is scaled up, and says so. */
export function countShown(count: number, sampled: number, total: number | undefined): CountShown {
  if (total === undefined || sampled >= total) return { text: shortCount(count), title: counted(count, 'record') }
  const about = Number(((count * total) / sampled).toPrecision(2))
  const records = `the newest ${withCommas(sampled)} of ${counted(total, 'record')}`
  return { text: `≈ ${shortCount(about)}`, title: `About ${withCommas(about)}, estimated from ${records}` }
}

type FacetValueProps = {
  name: string
  value: string
  number: CountShown | undefined
  chosen: ChosenField | undefined
  address: LogsAddress
}

function FacetValue({ name, value, number, chosen, address: { edit, change, filter } }: FacetValueProps) {
  const look = name === 'level' ? levelLook(value) : undefined
  const field = fieldNamed(name)
  const shown = value === '' ? 'empty' : plainLine(value)
  const isChosen = chosen?.values.includes(value) ?? false
  const only = () => {
    const rest = chosen ? chosen.rest : filter.query
    change({ query: joinTerm(rest ?? '', `${printField(field)}:${printValue(value)}`) })
  }
  return (
    <li className="group/value flex h-6 pointer-coarse:h-control items-center rounded-[4px] hover:bg-hover">
      <button
        type="button"
        onClick={() => edit({ field, value })}
        aria-pressed={isChosen}
        title={`${isChosen ? 'Remove filter' : 'Include'}: ${shown}`}
        className="relative flex h-full min-w-0 flex-1 items-center gap-2 pr-1 pl-5 text-left text-small"
      >
        {isChosen && <Check size={12} className="absolute left-1 text-accent" aria-hidden="true" />}
        {look && <span className={classNames('size-2 shrink-0 rounded-[2px]', look.bar)} aria-hidden="true" />}
        <span className={classNames('min-w-0 flex-1 truncate font-mono', isChosen && 'font-semibold text-accent')}>
          {value === '' ? <span className="text-faint">empty</span> : shown}
        </span>
        {number && (
          <span title={number.title} className="shrink-0 text-tiny text-faint tabular-nums">
            {number.text}
          </span>
        )}
      </button>
      <ValueAction label={`Only ${name} ${shown}`} title="Only this value" onClick={only}>
        <Filter size={12} aria-hidden="true" />
      </ValueAction>
      <ValueAction
        label={`Exclude ${name} ${shown}`}
        title="Exclude this value"
        onClick={() => edit({ field, value, exclude: true })}
      >
        <FilterX size={12} aria-hidden="true" />
      </ValueAction>
    </li>
  )
}

type ValueActionProps = { label: string; title: string; onClick: () => void; children: ReactNode }

/** Takes room only where the pointer or the keyboard is, from the value and not from its count. */
function ValueAction({ label, title, onClick, children }: ValueActionProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={title}
      onClick={onClick}
      className="hidden size-6 pointer-coarse:size-control shrink-0 items-center justify-center text-muted group-focus-within/value:flex group-hover/value:flex hover:text-text pointer-coarse:flex"
    >
      {children}
    </button>
  )
}
