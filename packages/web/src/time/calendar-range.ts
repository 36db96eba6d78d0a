/** A range as a calendar has it: two days and the time in each, on the clock of a zone. */
import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { Zone } from '../ui/preferences.ts'
import { dayAfter } from './month.ts'
import type { Range } from './range.ts'

/** `2026-11-15` and what is typed beside it: `14:03`, `14:03:22`, or nothing for the edge of the day. */
export type End = { day: string; clock: string }
export type Ends = { from: End; to: End }

export function dayOf(timeMs: number, zone: Zone): string {
  return onTheWall(timeMs, zone).slice(0, 'yyyy-mm-dd'.length)
}

/** Of a range that is shown. Where it has no end of its own, it ends now; where it ends at midnight, with the day before. */
export function endsOf({ fromMs, toMs }: { fromMs: number; toMs: number }, isOpen: boolean, zone: Zone): Ends {
  const [from, to] = [endOf(fromMs, zone), endOf(toMs, zone)]
  if (isOpen) return { from, to: { day: to.day, clock: '' } }
  return to.clock === '00:00' ? { from, to: { day: dayAfter(to.day, -1), clock: '24:00' } } : { from, to }
}

/** What an empty time stands for. */
export function edgesOf({ to }: Ends, today: string): { from: string; to: string } {
  return { from: '00:00', to: to.day === today ? 'now' : '24:00' }
}

type Read = { ok: true; range: Range } | { ok: false; end: 'from' | 'to'; message: string }

export function calendarRange(ends: Ends, zone: Zone, nowMs: number): Read {
  const edges = edgesOf(ends, dayOf(nowMs, zone))
  const times = { from: nowMs, to: nowMs }
  const isOpen = ends.to.clock.trim() === '' && edges.to === 'now'
  for (const end of isOpen ? (['from'] as const) : (['from', 'to'] as const)) {
    const typed = ends[end].clock.trim()
    const timeMs = timeOf({ day: ends[end].day, clock: typed || edges[end] }, zone)
    if (timeMs === undefined)
      return { ok: false, end, message: `"${typed}" is no time. Write one such as 14:30 or 14:30:05.` }
    times[end] = timeMs
  }
  if (times.from >= times.to) {
    const message = isOpen
      ? 'The range begins in the future: choose an earlier time.'
      : 'The range ends before it begins: swap the two times.'
    return { ok: false, end: isOpen ? 'from' : 'to', message }
  }
  return { ok: true, range: { from: iso(times.from), to: isOpen ? undefined : iso(times.to) } }
}

const CLOCK = /^(?:(\d|[01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?|24:00(?::00)?)$/

function timeOf({ day, clock }: End, zone: Zone): number | undefined {
  const read = CLOCK.exec(clock)
  if (!read) return undefined
  const [, hour, minute = '00', second = '00'] = read
  const onDay = hour === undefined ? dayAfter(day, 1) : day
  const text = `${onDay}T${(hour ?? '0').padStart(2, '0')}:${minute}:${second}`
  const timeMs = Date.parse(zone === 'utc' ? `${text}Z` : text)
  return Number.isNaN(timeMs) ? undefined : timeMs
}

/** With the seconds where there are some. */
function endOf(timeMs: number, zone: Zone): End {
  const wall = onTheWall(timeMs, zone)
  return { day: wall.slice(0, 10), clock: wall.slice(11, 19).replace(/:00$/, '') }
}

function onTheWall(timeMs: number, zone: Zone): string {
  const aheadMs = zone === 'utc' ? 0 : -new Date(timeMs).getTimezoneOffset() * MINUTE_MS
  return new Date(timeMs + aheadMs).toISOString()
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/(:00)?\.000Z$/, 'Z')
}
