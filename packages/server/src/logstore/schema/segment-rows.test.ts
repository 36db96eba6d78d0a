import { describe, expect, it } from 'vitest'
import { HEADER_ROW_TAIL, headerRow } from './segment-rows.ts'

describe('a header row', () => {
  it('is the length of the frame, the frame, and blank columns', () => {
    const row = headerRow(Buffer.from('a frame'))
    expect(row.subarray(0, 8).toString()).toBe('\x07a frame')
    expect(row.subarray(8)).toEqual(HEADER_ROW_TAIL)
  })

  it('takes frames longer than one byte can say', () => {
    const row = headerRow(Buffer.alloc(300, 1))
    expect([...row.subarray(0, 3)]).toEqual([0xac, 0x02, 1])
    expect(row.length).toBe(2 + 300 + HEADER_ROW_TAIL.length)
  })
})
