/** What the days of usage say: the figures beside their chart. */
import type { ProjectSettingsAnswer } from '@tidemark/wire/project'

type Day = ProjectSettingsAnswer['usage']['days'][number]
type UsageFacts = {
  today: Day | undefined
  /** Of the days that are over; null while there is none. */
  perDay: number | null
  busiest: Day | undefined
}

export function usageFacts(days: readonly Day[]): UsageFacts {
  const over = days.slice(0, -1)
  return {
    today: days.at(-1),
    perDay: over.length === 0 ? null : Math.round(over.reduce((sum, { records }) => sum + records, 0) / over.length),
    busiest: days.reduce<Day | undefined>((most, day) => (day.records > (most?.records ?? 0) ? day : most), undefined),
  }
}

/** `12 Nov`: a UTC day in any zone. */
export function dayWords(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(date)
}
