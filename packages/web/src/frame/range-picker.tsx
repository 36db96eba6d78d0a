import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { defaultFromOf } from '@tidemark/wire/dashboard/address'
import { CalendarClock, Check } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { zoneName } from '../time/format-time.ts'
import { presetsOf, type Range, rangeLabel, rangeUntilNow, readRange } from '../time/range.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Field } from '../ui/field.tsx'
import { Popover } from '../ui/popover.tsx'
import { usePreferences } from '../ui/preferences.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { ZoneSwitch } from './zone-switch.tsx'

const loadCalendar = () => import('./calendar-fields.tsx')
const CalendarFields = lazy(() => loadCalendar().then((module) => ({ default: module.CalendarFields })))

const route = getRouteApi('/signed-in/projects/$projectId')

export function RangePicker({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  const { from, to } = route.useSearch()
  const navigate = useNavigate()
  const { zone } = usePreferences()
  const { pathname } = useLocation()
  const defaultFrom = defaultFromOf(pathname)
  const choose = (range: Range) => {
    navigate({ to: '.', search: (before) => ({ ...before, ...range }) })
    onOpenChange(false)
  }
  // With the file of the box around it, not after that.
  useEffect(() => {
    if (isOpen) loadCalendar()
  }, [isOpen])
  if (defaultFrom === undefined) return null
  const label = rangeLabel(rangeUntilNow({ from, to }, Date.now()), zone, defaultFrom)
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      label="Time range"
      align="end"
      className="max-h-[calc(100vh-64px)] w-[min(480px,calc(100vw-16px))] overflow-y-auto p-2 max-sm:w-80"
      trigger={
        <Button
          icon={<CalendarClock size={14} className="text-muted max-sm:hidden" aria-hidden="true" />}
          className="max-w-80 tabular-nums max-sm:max-w-[206px] max-sm:px-2"
          title={rangeLabel({ from, to }, zone, defaultFrom)}
        >
          <span className="sr-only">Time range: </span>
          <span className="truncate">{label}</span>
          <span className="text-tiny font-normal text-faint max-sm:hidden">
            {zoneName(new Date().toISOString(), zone)}
          </span>
        </Button>
      }
    >
      <TypedRange key={`${from} ${to}`} range={{ from: from ?? defaultFrom, to }} onChoose={choose} />
      <div className="mt-2 grid gap-2 border-t border-border pt-2 sm:grid-cols-[168px_minmax(0,1fr)] sm:gap-3">
        <ul aria-label="Usual ranges" className="max-sm:grid max-sm:grid-cols-2">
          {presetsOf(defaultFrom).map((preset) => {
            const isChosen = (from ?? defaultFrom) === preset.from && to === undefined
            return (
              <li key={preset.from}>
                <button
                  type="button"
                  aria-pressed={isChosen}
                  onClick={() => choose(preset.range)}
                  className={classNames(
                    'flex h-control w-full items-center justify-between rounded-[4px] px-2 text-left hover:bg-hover',
                    isChosen && 'font-medium text-accent',
                  )}
                >
                  {preset.label}
                  {isChosen && <Check size={14} aria-hidden="true" />}
                </button>
              </li>
            )
          })}
        </ul>
        <div className="border-border max-sm:border-t max-sm:pt-2 sm:border-l sm:pl-3">
          <Suspense fallback={<Skeleton className="h-[334px] pointer-coarse:h-[442px]" />}>
            <CalendarFields
              key={`${from} ${to} ${zone}`}
              range={{ from: from ?? defaultFrom, to }}
              zone={zone}
              onChoose={choose}
            />
          </Suspense>
        </div>
      </div>
      <div className="mt-2 border-t border-border pt-1">
        <ZoneSwitch />
      </div>
    </Popover>
  )
}

function TypedRange({ range, onChoose }: { range: Range; onChoose: (range: Range) => void }) {
  const [text, setText] = useState(range.to === undefined ? (range.from ?? '') : `${range.from} to ${range.to}`)
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readRange(text)
    if (read.ok) onChoose(read.range)
    else setError(read.message)
  }
  return (
    <form onSubmit={submit}>
      <Field
        label="Range"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setError(undefined)
        }}
        onFocus={(event) => event.target.select()}
        error={error}
        hint="For example 2h, yesterday, -3h to -1h, deploy:latest-15m, 2026-01-02T03:04Z"
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
      />
    </form>
  )
}
