import { describe, expect, it } from 'vitest'
import { levelOfSent, levelOfSeverityNumber } from './sent-level.ts'

describe('levelOfSent', () => {
  it.each([
    ['trace', ['trace', 'TRACE', 'verbose', 'silly', 'finest', 10, '10']],
    ['debug', ['debug', 'Debug', 'dbg', 'fine', 20, 7, '7']],
    ['info', ['info', 'INFORMATION', 'notice', 'http', ' info ', 30, 35, 6, 5]],
    ['warn', ['warn', 'Warning', 'WRN', 40, 4]],
    ['error', ['error', 'ERR', 'severe', 50, 3]],
    ['fatal', ['fatal', 'critical', 'CRIT', 'alert', 'emergency', 'emerg', 'panic', 60, 70, 0, 1, 2]],
  ] as const)('reads names and numbers of %s', (level, values) => {
    for (const value of values) expect(levelOfSent(value), String(value)).toBe(level)
  })

  it.each(['loud', '', 'constructor', '__proto__', 8, 9, -1, 1e9, Number.NaN, null, true, {}, []])(
    'does not understand %j',
    (value) => {
      expect(levelOfSent(value)).toBeNull()
    },
  )
})

describe('levelOfSeverityNumber', () => {
  it('maps the 24 severities of OpenTelemetry in fours', () => {
    const levels = Array.from({ length: 24 }, (_, index) => levelOfSeverityNumber(index + 1))
    expect(levels).toEqual(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].flatMap((level) => [level, level, level, level]),
    )
  })

  it('does not understand numbers outside that range', () => {
    for (const value of [0, 25, -1, Number.NaN]) expect(levelOfSeverityNumber(value)).toBeNull()
  })
})
