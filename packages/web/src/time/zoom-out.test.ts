import { describe, expect, it } from 'vitest'
import { zoomedOut } from './zoom-out.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')
const window = (from: string, to: string) => ({ from: `2026-11-15T${from}Z`, to: `2026-11-15T${to}Z` })

describe('zooming out', () => {
  it('shows twice the time, around the same middle', () => {
    const range = window('08:00:00.000', '09:00:00.000')
    expect(zoomedOut(range, range, NOW)).toEqual(window('07:30:00.000', '09:30:00.000'))
  })

  it('ends now rather than later, and makes up for it before', () => {
    const range = window('11:00:00.000', '11:50:00.000')
    expect(zoomedOut(range, range, NOW)).toEqual({ from: '2026-11-15T10:20:00.000Z', to: undefined })
  })

  it('keeps a range that ends now, and takes the next longer one', () => {
    expect(zoomedOut({ from: undefined, to: undefined }, window('11:00:00', '12:00:00.200'), NOW)).toEqual({
      from: '-6h',
      to: undefined,
    })
    expect(zoomedOut({ from: '-20m', to: undefined }, window('11:40:00', '12:00:00'), NOW)).toEqual({
      from: '-30m',
      to: undefined,
    })
    expect(zoomedOut({ from: '-30m', to: undefined }, window('11:30:00', '12:00:00'), NOW)).toEqual({
      from: undefined,
      to: undefined,
    })
    const month = { from: '2026-10-16T12:00:00Z', to: '2026-11-15T12:00:00Z' }
    expect(zoomedOut({ from: '-30d', to: undefined }, month, NOW)).toBeUndefined()
  })
})
