import { usePreferences } from '../ui/preferences.ts'
import { formatAgo } from './elapsed.ts'
import { formatFull } from './format-time.ts'

/** How long ago, with the exact time one hover away. */
export function TimeAgo({ at, never = 'Never' }: { at: string | null; never?: string }) {
  const { zone } = usePreferences()
  if (at === null) return <span className="text-faint">{never}</span>
  return (
    <time dateTime={at} title={formatFull(at, zone)} className="tabular-nums whitespace-nowrap">
      {formatAgo(at, Date.now())}
    </time>
  )
}
