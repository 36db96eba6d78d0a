import type { PatternsAnswer } from '@tidemark/wire/reading/patterns'
import { counted } from '@tidemark/wire/text/counted'
import { formatClock } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences } from '../../ui/preferences.ts'
import type { PatternsState } from './use-patterns.ts'

/** How many there are, and when they were counted: they are not live. */
export function PatternsStatus({ patterns: { fresh, isBusy, found } }: { patterns: PatternsState }) {
  const { zone } = usePreferences()
  const clock = formatClock(new Date(found.dataUpdatedAt).toISOString(), zone).split('.')[0]
  return (
    <>
      <span role="status" className="min-w-0 truncate">
        {fresh && totalWords(fresh)}
      </span>
      <span className={classNames('ml-auto', !isBusy && 'hidden @[520px]:inline')}>
        {isBusy ? 'Counting' : fresh && `Counted at ${clock}`}
      </span>
    </>
  )
}

function totalWords({ patterns, otherPatterns, records }: PatternsAnswer): string {
  if (records === 0) return counted(0, 'record')
  const present = patterns.filter(({ count }) => count > 0).length
  return `${counted(present + otherPatterns, 'pattern')} in ${counted(records, 'record')}`
}
