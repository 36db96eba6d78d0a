import { describe, expect, it } from 'vitest'
import { chartWindow } from './chart-range.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const lived = {
  firstSeen: '2026-11-01T00:00:00.000Z',
  onset: '2026-11-10T10:00:00.000Z',
  lastSeen: '2026-11-15T11:59:00.000Z',
}

describe('the window of the chart', () => {
  it.each([
    ['start', '2026-11-10T09:00:00.000Z', '2026-11-10T11:00:00.000Z'],
    ['24h', '2026-11-14T12:00:00.000Z', '2026-11-15T12:00:00.000Z'],
    ['7d', '2026-11-08T12:00:00.000Z', '2026-11-15T12:00:00.000Z'],
  ] as const)('%s is from %s to %s', (range, from, to) => {
    expect(chartWindow(range, lived, NOW)).toEqual({ from, to })
  })

  it('of all errors begins before the first, and ends now rather than later', () => {
    const { from, to } = chartWindow('all', lived, NOW)
    expect(Date.parse(from)).toBeLessThan(Date.parse(lived.firstSeen))
    expect(to).toBe('2026-11-15T12:00:00.000Z')
    const short = { ...lived, firstSeen: lived.onset, lastSeen: lived.onset }
    expect(chartWindow('all', short, NOW)).toEqual({
      from: '2026-11-10T09:55:00.000Z',
      to: '2026-11-10T10:05:00.000Z',
    })
  })

  it('has the errors of a clock that is ahead inside, up to the last', () => {
    const ahead = '2026-11-15T15:00:00.000Z'
    const early = { firstSeen: ahead, onset: ahead, lastSeen: ahead }
    const to = '2026-11-15T15:00:00.001Z'
    expect(chartWindow('start', early, NOW)).toEqual({ from: '2026-11-15T14:00:00.000Z', to })
    expect(chartWindow('all', early, NOW)).toEqual({ from: '2026-11-15T14:55:00.000Z', to })
    expect(chartWindow('start', { ...lived, lastSeen: ahead }, NOW).to).toBe('2026-11-10T11:00:00.000Z')
  })
})
