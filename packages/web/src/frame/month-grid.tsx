/** One month as a grid of days, as the ARIA practices describe it: one stop of the Tab key, arrows inside. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { dayByKey, longDay, monthAfter, monthName, WEEKDAYS, weeksOf } from '../time/month.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'

type Days = { from: string; to: string }

type MonthGridProps = {
  /** Undefined before a range is chosen. */
  chosen: Days | undefined
  /** The last day is still to be chosen: where somebody points is shown as if it were. */
  isHalfChosen: boolean
  /** No later day can be chosen. */
  today: string
  onChoose: (day: string) => void
}

export function MonthGrid({ chosen, isHalfChosen, today, onChoose }: MonthGridProps) {
  const [current, setCurrent] = useState(chosen === undefined || chosen.to > today ? today : chosen.to)
  const [pointed, setPointed] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const isByKey = useRef(false)
  const id = useId()
  // The day that a key leads to may be in a month that was not there before.
  useEffect(() => {
    if (isByKey.current) button.current?.focus()
    isByKey.current = false
  })

  const shown = isHalfChosen && chosen && pointed !== undefined ? inOrder(chosen.from, pointed) : chosen
  const turn = (months: number) => {
    const day = monthAfter(current, months)
    setCurrent(day > today ? today : day)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const day = dayByKey(current, event.key, event.shiftKey, today)
    if (day === undefined) return
    event.preventDefault()
    isByKey.current = day !== current
    setCurrent(day)
    setPointed(day)
  }
  const isLastMonth = current.slice(0, 7) === today.slice(0, 7)
  return (
    <div>
      <div className="mb-1 flex items-center justify-between">
        <IconButton label="Previous month" onClick={() => turn(-1)}>
          <ChevronLeft size={16} aria-hidden="true" />
        </IconButton>
        <span id={id} aria-live="polite" className="text-small font-semibold tabular-nums">
          {monthName(current)}
        </span>
        {/* Not disabled: who has come here by pressing it would lose their place. */}
        <IconButton
          label="Next month"
          onClick={() => turn(1)}
          aria-disabled={isLastMonth || undefined}
          className="aria-disabled:opacity-50"
        >
          <ChevronRight size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are chosen is a grid
        role="grid"
        aria-labelledby={id}
        aria-multiselectable="true"
        className="w-full table-fixed border-collapse text-center tabular-nums"
        onPointerLeave={() => setPointed(undefined)}
      >
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name} className="h-6 text-tiny font-medium text-faint">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {weeksOf(current).map((week, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the weeks of a month never change their order
            <tr key={at}>
              {week.map((day, weekday) =>
                day === null ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an empty cell has no other identity
                  <td key={weekday} className="h-control p-0" />
                ) : (
                  <DayCell
                    key={day}
                    {...{ day, today, shown }}
                    isCurrent={day === current}
                    button={day === current ? button : undefined}
                    onPoint={() => setPointed(day)}
                    onChoose={() => {
                      setCurrent(day)
                      onChoose(day)
                    }}
                  />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type DayProps = {
  day: string
  today: string
  shown: Days | undefined
  isCurrent: boolean
  button: Ref<HTMLButtonElement> | undefined
  onPoint: () => void
  onChoose: () => void
}

function DayCell({ day, today, shown, isCurrent, button, onPoint, onChoose }: DayProps) {
  const isAhead = day > today
  const isFirst = day === shown?.from
  const isLast = day === shown?.to
  const isInside = shown !== undefined && day >= shown.from && day <= shown.to
  const part = isFirst && isLast ? ', the whole range' : isFirst ? ', first day' : isLast ? ', last day' : ''
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it is
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
      role="gridcell"
      aria-selected={isInside}
      aria-disabled={isAhead || undefined}
      className={classNames(
        'h-control p-0 py-px text-small pointer-coarse:py-0',
        isInside && 'bg-accent-surface bg-clip-content',
        isFirst && 'rounded-l-[8px]',
        isLast && 'rounded-r-[8px]',
        isAhead && 'text-faint opacity-50',
      )}
    >
      {isAhead ? (
        Number(day.slice(8))
      ) : (
        <button
          ref={button}
          type="button"
          tabIndex={isCurrent ? 0 : -1}
          aria-label={`${longDay(day)}${part}`}
          aria-current={day === today ? 'date' : undefined}
          onClick={onChoose}
          onFocus={onPoint}
          onPointerEnter={onPoint}
          className={classNames(
            'size-full rounded-control',
            isFirst || isLast
              ? 'bg-accent font-semibold text-on-accent hover:brightness-110'
              : classNames(
                  isInside ? 'hover:bg-accent/20' : 'hover:bg-hover',
                  day === today && 'font-semibold text-accent',
                ),
          )}
        >
          {Number(day.slice(8))}
        </button>
      )}
    </td>
  )
}

export function inOrder(one: string, other: string): Days {
  return one <= other ? { from: one, to: other } : { from: other, to: one }
}
