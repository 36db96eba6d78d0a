import { type FormEvent, useState } from 'react'
import { calendarRange, toCalendar } from '../time/calendar-range.ts'
import { type Range, resolveLocally } from '../time/range.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import type { Zone } from '../ui/preferences.ts'

type CalendarProps = { range: Range; zone: Zone; onChoose: (range: Range) => void }

/** Both ends by the browser's own calendar, which every keyboard, screen reader and phone knows. */
export function CalendarFields({ range, zone, onChoose }: CalendarProps) {
  const [ends, setEnds] = useState(() => {
    const known = resolveLocally(range, Date.now())
    return {
      from: known ? toCalendar(known.fromMs, zone) : '',
      to: known && range.to !== undefined ? toCalendar(known.toMs, zone) : '',
    }
  })
  const [error, setError] = useState<string>()
  const change = (end: Partial<typeof ends>) => {
    setEnds({ ...ends, ...end })
    setError(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = calendarRange(ends, zone)
    if (read.ok) onChoose(read.range)
    else setError(read.message)
  }
  return (
    <form onSubmit={submit} className="mt-2 flex flex-col gap-2 border-t border-border pt-2" noValidate>
      <Field
        label="From"
        type="datetime-local"
        value={ends.from}
        onChange={({ target }) => change({ from: target.value })}
        error={error}
        className="tabular-nums"
      />
      <Field
        label="To, or empty for now"
        type="datetime-local"
        value={ends.to}
        onChange={({ target }) => change({ to: target.value })}
        className="tabular-nums"
      />
      <Button type="submit" className="self-end">
        Show this range
      </Button>
    </form>
  )
}
