import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'
import { anchorOf, parseTime } from './parse-time.ts'
import {
  parseRange,
  type RangeInput,
  type RangeLimits,
  resolveRange,
  resolveTime,
  type TimeContext,
} from './resolve-time.ts'

const us = (iso: string) => Date.parse(iso) * 1000
const NOW = us('2026-03-04T05:06:07Z')
const DEPLOYED = us('2026-03-04T04:00:00Z')
const DEPLOY_ID = 'dep_01890a5d-ac96-774b-bcce-b302099a8d57'
const MINUTE = 60_000_000

const context: TimeContext = {
  nowUs: NOW,
  anchor: (kind, id) => {
    if (kind === 'deploy') return id === 'latest' || id === DEPLOY_ID ? DEPLOYED : undefined
    return id === 'ana_0123456789abcdef' ? DEPLOYED + MINUTE : undefined
  },
}

function at(text: string): number | string {
  const parsed = parseTime(text)
  if (!parsed.ok) return parsed.error.message
  const resolved = resolveTime(parsed.time, context)
  return resolved.ok ? resolved.timeUs : resolved.error.message
}

describe('a time', () => {
  it.each([
    ['2026-01-02T03:04:05Z', us('2026-01-02T03:04:05Z')],
    ['2026-01-02t03:04:05.123456z', us('2026-01-02T03:04:05Z') + 123_456],
    ['2026-01-02T03:04:05.123456789+02:00', us('2026-01-02T01:04:05Z') + 123_456],
    ['2026-01-02 03:04Z', us('2026-01-02T03:04:00Z')],
    ['2026-01-02', us('2026-01-02T00:00:00Z')],
    ['1767323045', 1_767_323_045_000_000],
    ['1767323045.25', 1_767_323_045_250_000],
    ['1767323045123', 1_767_323_045_123_000],
    ['1767323045123456', 1_767_323_045_123_456],
    ['1767323045123456789', 1_767_323_045_123_456],
    ['now', NOW],
    ['NOW-90m', NOW - 90 * MINUTE],
    ['now + 5m', NOW + 5 * MINUTE],
    ['-90m', NOW - 90 * MINUTE],
    ['+1h', NOW + 60 * MINUTE],
    ['24h', NOW - 1440 * MINUTE],
    ['1h30m', NOW - 90 * MINUTE],
    ['2w', NOW - 14 * 1440 * MINUTE],
    ['today', us('2026-03-04T00:00:00Z')],
    ['yesterday', us('2026-03-03T00:00:00Z')],
    ['yesterday+2h', us('2026-03-03T02:00:00Z')],
    ['deploy:latest', DEPLOYED],
    ['deploy:latest-15m', DEPLOYED - 15 * MINUTE],
    [`deploy:${DEPLOY_ID}`, DEPLOYED],
    [`deploy:${DEPLOY_ID}+5m`, DEPLOYED + 5 * MINUTE],
    ['analysis:ana_0123456789abcdef', DEPLOYED + MINUTE],
    ['analysis:ana_0123456789abcdef-1m', DEPLOYED],
  ])('reads %s', (text, expected) => {
    expect(at(text)).toBe(expected)
  })

  it.each([
    ['2026-02-30', '2026-02-30 is not a day and time that exists.'],
    ['2026-01-02T24:00:00Z', '2026-01-02T24:00:00Z is not a day and time that exists.'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05 has no zone.'],
    ['2026-01-02T03:04:05+99:00', '+99:00 is not a zone.'],
    ['24', '24 has no unit and is too short for an epoch.'],
    ['now-5y', '"-5y" is not a duration: write a whole number and a unit (s, m, h, d or w).'],
    ['deploy:latest-soon', '"-soon" is not a duration: write a whole number and a unit (s, m, h, d or w).'],
    ['deploy:', '"deploy:" does not name a deploy or an analysis.'],
    ['tomorrow', '"tomorrow" is not a time.'],
    [`${'x'.repeat(59)}😀`, `"${'x'.repeat(59)}…" is not a time.`],
    ['  ', 'The time is empty.'],
    ['9999999999999999999', '9999999999999999999 is not between 1970 and 2200.'],
    ['deploy:dep_unknown', 'There is no deploy with the id dep_unknown.'],
    ['analysis:latest', 'There is no analysis yet to count from.'],
  ])('refuses %s and says why', (text, message) => {
    expect(at(text)).toMatch(message)
  })

  it('says what is accepted and gives an example that is', () => {
    expect(at('2026-01-02T03:04:05')).toMatchInlineSnapshot(
      `"2026-01-02T03:04:05 has no zone. Accepted: an RFC 3339 time, a date, now, -90m, 24h, today, yesterday, an epoch, deploy:latest-15m, deploy:<id>+5m or analysis:<id>. For example: 2026-01-02T03:04:05Z"`,
    )
  })

  it('names the anchor that has to be looked up', () => {
    const parsed = parseTime(`deploy:${DEPLOY_ID}-1h`)
    expect(parsed.ok && anchorOf(parsed.time)).toEqual({ anchor: 'deploy', id: DEPLOY_ID })
    const plain = parseTime('now')
    expect(plain.ok && anchorOf(plain.time)).toBeUndefined()
  })

  it('is read, or refused with an example that is read, whatever the text', () => {
    const pieces = fc.constantFrom('now', '-', '+', '5m', '2026-01-02', 'T03:04:05', 'Z', 'deploy:', 'latest', ' ', '9')
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (text) => {
        const parsed = parseTime(text)
        if (parsed.ok) expect(resolveTime(parsed.time, context)).toBeDefined()
        else expect(parseTime(parsed.error.example).ok).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('comes back to the microsecond from RFC 3339 and from every epoch unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000_000, max: 7_000_000_000 }), fc.nat(999_999), (seconds, micros) => {
        const timeUs = seconds * 1_000_000 + micros
        const fraction = String(micros).padStart(6, '0')
        const rfc = `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`
        for (const text of [rfc, `${seconds}.${fraction}`, `${timeUs}`, `${timeUs}999`]) expect(at(text)).toBe(timeUs)
      }),
    )
  })

  it('stays within the times there are, however far it is moved', () => {
    expect(at('1970-01-01')).toBe(0)
    const parsed = parseTime('5000w')
    expect(parsed.ok && resolveTime(parsed.time, { ...context, nowUs: MINUTE })).toEqual({ ok: true, timeUs: 0 })
  })
})

describe('a length of time', () => {
  it('is printed so that it is read as the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_00 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds * 1_000_000))).toBe(seconds * 1_000_000)
      }),
    )
    expect(formatDuration(5400 * 1_000_000)).toBe('90m')
  })
})

describe('a window', () => {
  const window = (input: RangeInput, limits: RangeLimits = {}) => {
    const parsed = parseRange(input, limits)
    return parsed.ok ? resolveRange(parsed, context, limits) : parsed
  }

  it('is the last day when nothing is given', () => {
    expect(window({})).toEqual({ ok: true, fromUs: NOW - 1440 * MINUTE, toUs: NOW })
  })

  it('reaches as far back from a given end', () => {
    const end = us('2026-01-02T00:00:00Z')
    expect(window({ to: '2026-01-02' }, { defaultFrom: '-1h' })).toEqual({
      ok: true,
      fromUs: end - 60 * MINUTE,
      toUs: end,
    })
  })

  it('is refused when it is empty or turned around, naming the end to change', () => {
    expect(window({ from: 'now', to: '-1h' })).toMatchObject({
      ok: false,
      error: {
        field: 'from',
        message:
          'from (2026-03-04T05:06:07Z) is not before to (2026-03-04T04:06:07Z). For example: from 2026-03-04T03:06:07Z',
      },
    })
    expect(window({ from: 'now' })).toMatchObject({ ok: false, error: { field: 'from' } })
  })

  it('is refused when it is too wide, with the widest that is allowed as the example', () => {
    const refused = window({ from: '-8d' }, { maxWidthUs: 7 * 1440 * MINUTE })
    expect(refused).toMatchObject({ ok: false, error: { example: '2026-02-25T05:06:07Z' } })
    expect(!refused.ok && refused.error.message).toContain('wider than 1w')
    expect(window({ from: '-7d' }, { maxWidthUs: 7 * 1440 * MINUTE })).toMatchObject({ ok: true })
  })

  it('names the end that cannot be read', () => {
    expect(window({ from: '-1h', to: 'soon' })).toMatchObject({ ok: false, error: { field: 'to' } })
    expect(window({ from: 'deploy:nope' })).toMatchObject({ ok: false, error: { field: 'from' } })
  })
})
