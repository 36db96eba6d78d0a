/** A range by two clicks in a month and by the times of its ends, on the clock that the page shows. */
import { type FormEvent, useState } from 'react'
import { calendarRange, dayOf, type Ends, edgesOf, endsOf } from '../time/calendar-range.ts'
import { zoneName } from '../time/format-time.ts'
import { shortDay } from '../time/month.ts'
import { type Range, resolveLocally } from '../time/range.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import type { Zone } from '../ui/preferences.ts'
import { inOrder, MonthGrid } from './month-grid.tsx'

type CalendarProps = { range: Range; zone: Zone; onChoose: (range: Range) => void }
type Problem = { end: keyof Ends; message: string }

const WHOLE_DAYS = { from: '', to: '' }

export function CalendarFields({ range, zone, onChoose }: CalendarProps) {
  const [nowMs] = useState(() => Date.now())
  const today = dayOf(nowMs, zone)
  const [ends, setEnds] = useState(() => shownEnds(range, zone, nowMs))
  const [isHalfChosen, setHalfChosen] = useState(false)
  /** Times that somebody has typed outlive another choice of days; those of the range before do not. */
  const [typed, setTyped] = useState(WHOLE_DAYS)
  const [problem, setProblem] = useState<Problem>()

  const chooseDay = (day: string) => {
    const days = isHalfChosen && ends ? inOrder(ends.from.day, day) : { from: day, to: day }
    setEnds({ from: { day: days.from, clock: typed.from }, to: { day: days.to, clock: typed.to } })
    setHalfChosen(!isHalfChosen)
    setProblem(undefined)
  }
  const type = (end: keyof Ends, clock: string) => {
    if (!ends) return
    setEnds({ ...ends, [end]: { ...ends[end], clock } })
    setTyped({ ...typed, [end]: clock })
    setProblem(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ends) return
    const read = calendarRange(ends, zone, Date.now())
    if (read.ok) onChoose(read.range)
    else setProblem(read)
  }
  const edges = ends && edgesOf(ends, today)
  const field = (end: keyof Ends, name: string) => (
    <Field
      label={ends ? `${name} ${shortDay(ends[end].day)}` : name}
      value={ends?.[end].clock ?? ''}
      onChange={({ target }) => type(end, target.value)}
      placeholder={edges?.[end] ?? ''}
      disabled={!ends}
      aria-invalid={problem?.end === end || undefined}
      aria-describedby={problem?.end === end ? PROBLEM_ID : undefined}
      autoComplete="off"
      spellCheck={false}
      className={problem?.end === end ? '!border-bad tabular-nums' : 'tabular-nums'}
    />
  )
  return (
    <form onSubmit={submit} aria-label="Calendar" className="flex flex-col gap-2" noValidate>
      <MonthGrid
        chosen={ends && { from: ends.from.day, to: ends.to.day }}
        isHalfChosen={isHalfChosen}
        today={today}
        onChoose={chooseDay}
      />
      <p role="status" className="text-small text-faint">
        {isHalfChosen ? 'Now choose the last day' : 'Choose the first and the last day'}
      </p>
      <div className="grid grid-cols-2 gap-2">
        {field('from', 'From')}
        {field('to', 'To')}
      </div>
      {problem && (
        <p id={PROBLEM_ID} role="alert" className="text-small text-bad">
          {problem.message}
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <span className="text-tiny text-faint">24-hour clock, {zoneName(new Date(nowMs).toISOString(), zone)}</span>
        <Button type="submit" disabled={!ends}>
          Show this range
        </Button>
      </div>
    </form>
  )
}

const PROBLEM_ID = 'calendar-problem'

/** Nothing is chosen where the range counts from a deploy, whose time the service knows. */
function shownEnds(range: Range, zone: Zone, nowMs: number): Ends | undefined {
  const known = resolveLocally(range, nowMs)
  return known ? endsOf(known, range.to === undefined, zone) : undefined
}
