import { formatFull } from '../time/format-time.ts'
import { usePreferences } from '../ui/preferences.ts'

/**
 * `2026-11-15 14:03:22 UTC+1`, in figures of one width. Inter widens the hyphen along with them, which would tear the date
 * apart, so only the hyphens are set as in text.
 */
export function ExactTime({ at }: { at: string }) {
  const { zone } = usePreferences()
  const [date = '', clock, ...zoneWords] = formatFull(at, zone).split(' ')
  const [year, month, day] = date.split('-')
  return (
    <time dateTime={at} className="tabular-nums">
      <span className="whitespace-nowrap">
        {year}
        <Hyphen />
        {month}
        <Hyphen />
        {day} {clock}
      </span>{' '}
      {zoneWords.join(' ')}
    </time>
  )
}

function Hyphen() {
  return <span className="normal-nums">-</span>
}
