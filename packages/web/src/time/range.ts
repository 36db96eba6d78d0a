/** The range of time in the address: as it was typed, relative ones kept relative, so that a reload moves on with the clock. */
import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { parseDuration } from '@tidemark/wire/time/duration'
import { parseTime } from '@tidemark/wire/time/parse-time'
import { parseRange, resolveRange } from '@tidemark/wire/time/resolve-time'
import type { Zone } from '../ui/preferences.ts'
import { formatShort } from './format-time.ts'

export type Range = { from: string | undefined; to: string | undefined }

const PRESETS: readonly { from: string; label: string }[] = [
  { from: '-5m', label: 'Last 5 minutes' },
  { from: '-15m', label: 'Last 15 minutes' },
  { from: '-30m', label: 'Last 30 minutes' },
  { from: '-1h', label: 'Last hour' },
  { from: '-6h', label: 'Last 6 hours' },
  { from: '-24h', label: 'Last 24 hours' },
  { from: '-3d', label: 'Last 3 days' },
  { from: '-7d', label: 'Last 7 days' },
  { from: '-30d', label: 'Last 30 days' },
]

/** Of a page with this beginning, which stays out of the address: other pages begin elsewhere. None where a page has no range. */
export function presetsOf(defaultFrom: string | undefined): { from: string; label: string; range: Range }[] {
  if (defaultFrom === undefined) return []
  return PRESETS.map(({ from, label }) => {
    return { from, label, range: { from: from === defaultFrom ? undefined : from, to: undefined } }
  })
}

/** What a person typed: one time (`2h`, `yesterday`) or two with `to`, `..` or `–` between them. */
export function readRange(text: string): { ok: true; range: Range } | { ok: false; message: string } {
  const [first = '', second, ...more] = text.trim().split(/\s+to\s+|\s*\.\.+\s*|\s+–\s+/)
  if (more.length > 0) return { ok: false, message: 'A range has two ends. For example: -2h to -1h' }
  const from = first.trim()
  const to = second?.trim()
  for (const end of to === undefined ? [from] : [from, to]) {
    const parsed = parseTime(end)
    if (!parsed.ok) return { ok: false, message: parsed.error.message }
  }
  if (from.toLowerCase() === 'yesterday' && to === undefined)
    return { ok: true, range: { from: 'yesterday', to: 'today' } }
  const asked = { from: parseDuration(from) === undefined ? from : `-${from}`, to: to === 'now' ? undefined : to }
  const order = resolved(asked, Date.now())
  return order === 'reversed'
    ? { ok: false, message: 'The range ends before it begins: swap the two times.' }
    : { ok: true, range: asked }
}

/** Null where the service has to be asked, because the range counts from a deploy. */
export function resolveLocally(range: Range, nowMs: number): { fromMs: number; toMs: number } | null {
  const result = resolved(range, nowMs)
  return typeof result === 'string' ? null : result
}

function resolved({ from, to }: Range, nowMs: number): { fromMs: number; toMs: number } | 'unknown' | 'reversed' {
  const parsed = parseRange({ from: from ?? LOGS_DEFAULT_FROM, to })
  if (!parsed.ok) return 'unknown'
  if (parsed.from.base.kind === 'anchor' || parsed.to.base.kind === 'anchor') return 'unknown'
  const range = resolveRange(parsed, { nowUs: nowMs * 1_000, anchor: () => undefined })
  return range.ok ? { fromMs: range.fromUs / 1_000, toMs: range.toUs / 1_000 } : 'reversed'
}

/** As it is shown: of an end in the future, until now. */
export function rangeUntilNow({ from, to }: Range, nowMs: number): Range {
  const isAhead = (end: string) => (resolveLocally({ from: '1970-01-01', to: end }, nowMs)?.toMs ?? 0) > nowMs
  return to !== undefined && isAhead(to) && !(from !== undefined && isAhead(from)) ? { from, to: 'now' } : { from, to }
}

export function rangeLabel({ from, to }: Range, zone: Zone, defaultFrom = LOGS_DEFAULT_FROM): string {
  const start = from ?? defaultFrom
  const preset = to === undefined ? PRESETS.find((one) => one.from === start) : undefined
  if (preset) return preset.label
  const length = to === undefined ? lengthWords(start) : undefined
  if (length !== undefined) return `Last ${length}`
  const [first, last] = [endLabel(start, zone), endLabel(to ?? 'now', zone)]
  const day = DAY.exec(first)?.[0]
  return `${first} – ${day !== undefined && last.startsWith(day) ? last.slice(day.length) : last}`
}

/** What `formatShort` puts before the clock. It is said once where both ends have the same. */
const DAY = /^\d{2} [A-Z][a-z]{2} (?=\d{2}:\d{2}$)/

const UNIT_WORDS: Record<string, string> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** `-2d` as `2 days`, `-1h30m` as `1 hour 30 minutes`, `-1w` as `week`. Undefined for anything else. */
function lengthWords(from: string): string | undefined {
  if (!from.startsWith('-') || parseDuration(from.slice(1)) === undefined) return undefined
  const words = [...from.matchAll(/(\d+)([a-z])/gi)].map(([, count, unit = 's']) => {
    const word = UNIT_WORDS[unit.toLowerCase()]
    return Number(count) === 1 ? `1 ${word}` : `${Number(count)} ${word}s`
  })
  return words.length === 1 ? words[0]?.replace(/^1 /, '') : words.join(' ')
}

function endLabel(text: string, zone: Zone): string {
  const parsed = parseTime(text)
  if (!parsed.ok || parsed.time.base.kind !== 'instant') return text
  return formatShort(new Date(parsed.time.base.timeUs / 1_000).toISOString(), zone)
}
