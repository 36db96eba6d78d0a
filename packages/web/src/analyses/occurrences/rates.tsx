import type { AnalysisDetail, CorrelatedDeploy, RateWindow } from '@tidemark/wire/analyses/analysis'
import { changeWord, NOTHING_TO_COMPARE } from '@tidemark/wire/analyses/correlated-words'
import { amountWords, counted } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { SECOND_MS, SECOND_US } from '@tidemark/wire/time/units'
import { directionOf } from '../../text/rate-words.ts'
import { spanWords } from '../../time/elapsed.ts'
import { formatShort } from '../../time/format-time.ts'
import { usePreferences } from '../../ui/preferences.ts'

type Compared = {
  before: Pick<RateWindow, 'records' | 'perHour'>
  after: Pick<RateWindow, 'perHour'>
  existedBefore: boolean
}
type RatesProps = { rates: NonNullable<AnalysisDetail['rates']>; deploy: CorrelatedDeploy | null }

/** Before and after, in equal spans, with the numbers behind the rate. */
export function Rates({ rates: { before, after, existedBefore }, deploy }: RatesProps) {
  const change = changeWord(deploy?.source ?? null)
  return (
    <dl className="grid border-t border-border sm:grid-cols-3 sm:divide-x sm:divide-border max-sm:divide-y max-sm:divide-border">
      <Rate title={`Before the ${change}`} window={before} />
      <Rate title={`After the ${change}`} window={after} />
      <div className="px-4 py-3">
        <dt className="text-small text-muted">Did it exist before?</dt>
        <dd className="mt-0.5">{existedWords({ before, after, existedBefore }, change)}</dd>
      </div>
    </dl>
  )
}

/** Of a time in which nothing was logged, that it held no error says nothing. */
export function existedWords({ before, after, existedBefore }: Compared, change: string): string {
  if (existedBefore) return `Yes. ${rateWords(before.perHour, after.perHour)}`
  return before.records === 0 ? NOTHING_TO_COMPARE : `No. This error did not occur before the ${change}.`
}

function Rate({ title, window }: { title: string; window: RateWindow }) {
  const { zone } = usePreferences()
  const { from, to, perHour } = window
  return (
    <div className="px-4 py-3">
      <dt className="text-small text-muted">{title}</dt>
      <dd className="tabular-nums">
        <span className="text-large font-semibold">{amountWords(perHour)}</span> an hour
        <span
          className="mt-0.5 block text-small text-muted"
          title={`${formatShort(from, zone)} – ${formatShort(to, zone)}`}
        >
          {amountInSpan(window)}
        </span>
      </dd>
    </div>
  )
}

/** In the words of the summary above, which tells the same numbers. */
export function amountInSpan({ from, to, errors, records }: Omit<RateWindow, 'perHour'>): string {
  const lengthUs = (Date.parse(to) - Date.parse(from)) * (SECOND_US / SECOND_MS)
  return `${counted(errors, 'error')} in ${spanWords(lengthUs)}, of ${counted(records, 'record')}`
}

/** In words, because a ratio of small numbers says less than it seems to. */
export function rateWords(before: number, after: number): string {
  if (before === 0) return 'It had been seen before, though not just before this.'
  const ratio = after / before
  switch (directionOf(ratio)) {
    case 'rose':
      return `The rate is ${amountWords(ratio)} times as high.`
    case 'fell':
      return `The rate fell to ${shareWords(ratio)}.`
    case 'same':
      return 'The rate is about the same.'
  }
}
