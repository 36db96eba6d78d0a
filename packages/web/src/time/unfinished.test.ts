import { describe, expect, it } from 'vitest'
import { isBucketUnfinished, isTrendUnfinished, unfinishedFromMs } from './unfinished.ts'

const at = (clock: string) => Date.parse(`2026-11-15T${clock}Z`)

describe('the last bucket', () => {
  it('is not over where the window ends inside of it', () => {
    expect(unfinishedFromMs(at('10:07:20'), 300, at('10:07:20'))).toBe(at('10:05:00'))
    expect(unfinishedFromMs(at('10:05:00.001'), 300, at('10:05:00.001'))).toBe(at('10:05:00'))
    expect(isBucketUnfinished(at('10:05:00'), at('10:09:59'), 300, at('10:09:59'))).toBe(true)
  })

  it('is over where the window ends with it', () => {
    expect(unfinishedFromMs(at('10:05:00'), 300, at('10:05:00'))).toBeNull()
    expect(isBucketUnfinished(at('10:05:00'), at('10:10:00'), 300, at('10:09:00'))).toBe(false)
  })

  it('is over where the window ended inside of it and its time has passed', () => {
    expect(unfinishedFromMs(at('10:07:20'), 300, at('10:10:00'))).toBeNull()
    expect(isBucketUnfinished(at('10:05:00'), at('10:07:20'), 300, at('18:00:00'))).toBe(false)
  })

  it('of a trend is as long as the service cuts it: an hour of a day, five minutes of an hour', () => {
    const trend = (from: string, to: string) =>
      isTrendUnfinished({ from: new Date(at(from)).toISOString(), to: new Date(at(to)).toISOString() }, at(to))
    expect(trend('00:00:00', '23:00:00')).toBe(false)
    expect(trend('00:30:00', '23:30:00')).toBe(true)
    expect(trend('10:05:00', '11:05:00')).toBe(false)
    expect(trend('10:04:00', '11:04:00')).toBe(true)
  })
})
