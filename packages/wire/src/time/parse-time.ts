/**
 * Points in time as people and agents write them, for every door. Parsing gives an expression and needs no clock;
 * `resolveTime` turns it into a time once the clock and the deploys are known.
 *
 *   2026-01-02T03:04:05Z  2026-01-02  1767323045 (also in ms, µs, ns)
 *   now  now-90m  -90m  24h (ago)  1h30m  today  yesterday-2h
 *   deploy:latest  deploy:latest-15m  deploy:dep_…+5m  analysis:ana_…
 *
 * Days begin at midnight UTC. Units are s, m, h, d and w.
 */
import { UUID } from '../id-form.ts'
import { MAX_TIME_CHARACTERS } from '../limits.ts'
import { cutWithEllipsis } from '../text/cut-text.ts'
import { parseDuration } from './duration.ts'
import { parseInstant } from './instant.ts'

export type AnchorKind = 'deploy' | 'analysis'

/** As the id of a deploy, in times and elsewhere: the newest that succeeded, in the environment asked for. */
export const LATEST_DEPLOY = 'latest'

type TimeBase =
  | { kind: 'instant'; timeUs: number }
  | { kind: 'now' }
  | { kind: 'today' | 'yesterday' }
  /** `id` is an id, or `LATEST_DEPLOY`. */
  | { kind: 'anchor'; anchor: AnchorKind; id: string }

/** The base, moved by `offsetUs` microseconds. */
export type TimeExpression = { base: TimeBase; offsetUs: number }

/** `message` says what is wrong and what is accepted; `example` is a text that would be accepted. */
export type TimeError = { message: string; example: string }
type ParsedTime = { ok: true; time: TimeExpression } | { ok: false; error: TimeError }

export const ACCEPTED_TIMES =
  'an RFC 3339 time, a date, now, -90m, 24h, today, yesterday, an epoch, deploy:latest-15m, deploy:<id>+5m or analysis:<id>'

const WITH_OFFSET = /^(now|today|yesterday)?\s*([+-].*)?$/i
// A UUID contains what looks like an offset (`-8d`), so its whole form is tried before any other name.
const ANCHOR = new RegExp(`^(deploy|analysis):((?:[a-z]+_)?${UUID}|[a-z0-9_.]+)\\s*([+-].*)?$`, 'i')

export function parseTime(text: string): ParsedTime {
  const trimmed = text.trim()
  if (trimmed === '') return failure('The time is empty.', 'now-1h')
  if (text.length > MAX_TIME_CHARACTERS) return failure('This is too long for a time.', 'now-1h')
  if (/^(?:deploy|analysis)\b/i.test(trimmed)) return anchored(trimmed)
  const relative = WITH_OFFSET.exec(trimmed)
  if (relative) return moved({ kind: (relative[1] ?? 'now').toLowerCase() as 'now' }, relative[2], trimmed)
  const ago = parseDuration(trimmed)
  if (ago !== undefined) return success({ kind: 'now' }, -ago)
  const instant = parseInstant(trimmed)
  if (typeof instant === 'number') return success({ kind: 'instant', timeUs: instant }, 0)
  return failure(instant?.message ?? `"${shown(trimmed)}" is not a time.`, instant?.example ?? 'now-1h')
}

/** The anchor that has to be looked up before the expression can be resolved. */
export function anchorOf({ base }: TimeExpression): { anchor: AnchorKind; id: string } | undefined {
  return base.kind === 'anchor' ? { anchor: base.anchor, id: base.id } : undefined
}

function anchored(text: string): ParsedTime {
  const match = ANCHOR.exec(text)
  const [, anchor = 'deploy', id = '', offset] = match ?? []
  if (!match) return failure(`"${shown(text)}" does not name a deploy or an analysis.`, 'deploy:latest-15m')
  return moved({ kind: 'anchor', anchor: anchor.toLowerCase() as AnchorKind, id }, offset, text)
}

function moved(base: TimeBase, offset: string | undefined, text: string): ParsedTime {
  if (offset === undefined) return success(base, 0)
  const duration = parseDuration(offset.slice(1).trim())
  if (duration !== undefined) return success(base, offset.startsWith('-') ? -duration : duration)
  const start = text.slice(0, text.length - offset.length).trim()
  return failure(
    `"${shown(offset)}" is not a duration: write a whole number and a unit (s, m, h, d or w).`,
    `${start}-15m`,
  )
}

function success(base: TimeBase, offsetUs: number): ParsedTime {
  // No minus zero, which is equal to zero for everyone but a test.
  return { ok: true, time: { base, offsetUs: offsetUs + 0 } }
}

function failure(message: string, example: string): ParsedTime {
  return { ok: false, error: { message: `${message} Accepted: ${ACCEPTED_TIMES}. For example: ${example}`, example } }
}

function shown(text: string): string {
  return cutWithEllipsis(text, 60)
}
