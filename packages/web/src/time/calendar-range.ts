/** A range as two fields with a calendar have it: minutes on the clock of a zone. */
import type { Zone } from '../ui/preferences.ts'
import type { Range } from './range.ts'

/** `2026-11-15T14:03`, as a field of date and time takes it. */
export function toCalendar(timeMs: number, zone: Zone): string {
  const offsetMs = zone === 'utc' ? 0 : new Date(timeMs).getTimezoneOffset() * 60_000
  return new Date(timeMs - offsetMs).toISOString().slice(0, 16)
}

export function fromCalendar(text: string, zone: Zone): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const timeMs = Date.parse(zone === 'utc' ? `${text}Z` : text)
  return Number.isNaN(timeMs) ? undefined : timeMs
}

/** An empty end is now. */
export function calendarRange(
  { from, to }: { from: string; to: string },
  zone: Zone,
): { ok: true; range: Range } | { ok: false; message: string } {
  const [fromMs, toMs] = [fromCalendar(from, zone), fromCalendar(to, zone)]
  if (fromMs === undefined) return { ok: false, message: 'Choose when the range begins.' }
  if (toMs === undefined && to !== '') return { ok: false, message: 'Choose when the range ends, or leave it empty.' }
  if (toMs !== undefined && toMs <= fromMs) {
    return { ok: false, message: 'The range ends before it begins: swap the two times.' }
  }
  const iso = (timeMs: number) => new Date(timeMs).toISOString().replace(':00.000Z', 'Z')
  return { ok: true, range: { from: iso(fromMs), to: toMs === undefined ? undefined : iso(toMs) } }
}
