import { describe, expect, it } from 'vitest'
import { deletionWords } from './shorten-retention.tsx'

const counted = (records: number) => ({ retentionDays: 14, keptSince: '2026-11-01T00:00:00Z', records })

describe('a shorter retention', () => {
  it('says how many records go, which, and that they do not come back', () => {
    expect(deletionWords(14, counted(1_234_567))).toBe(
      "14 days deletes 1,234,567 records from before 1 Nov 2026 (UTC) within the hour. This can't be undone.",
    )
    expect(deletionWords(1, counted(1))).toContain('1 day deletes 1 record from')
    expect(deletionWords(3_650, counted(2))).toContain('3,650 days deletes 2 records from')
  })

  it('says when there is nothing to delete', () => {
    expect(deletionWords(14, counted(0))).toBe('No record is from before 1 Nov 2026 (UTC), so nothing is deleted now.')
  })

  it('says why there is no number, and that records go all the same', () => {
    expect(deletionWords(14, new Error('The log store is starting. Try again in a moment.'))).toBe(
      "The records that go could not be counted. The log store is starting. Try again in a moment. Everything older than 14 days is deleted within the hour all the same. This can't be undone.",
    )
  })
})
