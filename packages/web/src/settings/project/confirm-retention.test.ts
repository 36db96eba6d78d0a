import { describe, expect, it } from 'vitest'
import { deletionWords } from './confirm-retention.tsx'

const counted = (records: number) => ({ records, past: [{ rule: null, keptSince: '2026-11-01T00:00:00Z', records }] })
const DEBUG = { levels: ['debug' as const], service: null, environment: null, days: 3 }

describe('another retention', () => {
  it('says how many records go, which, and that they do not come back', () => {
    expect(deletionWords({ retentionDays: 14 }, counted(1_234_567))).toEqual([
      'Records are kept for 14 days.',
      "This deletes 1,234,567 records from before 1 Nov 2026 (UTC) within the hour. This can't be undone.",
    ])
    expect(deletionWords({ retentionDays: 1 }, counted(1))[0]).toBe('Records are kept for 1 day.')
    expect(deletionWords({ retentionDays: 1 }, counted(1))[1]).toContain('deletes 1 record from')
  })

  it('says it for every rule that deletes', () => {
    const past = [
      { rule: { ...DEBUG, levels: ['error' as const], days: 90 }, keptSince: '2026-08-17T00:00:00Z', records: 0 },
      { rule: DEBUG, keptSince: '2026-11-12T00:00:00Z', records: 5_000 },
      { rule: null, keptSince: '2026-10-16T00:00:00Z', records: 7 },
    ]
    expect(deletionWords({ retentionDays: 30, retentionRules: [DEBUG] }, { records: 5_007, past })).toEqual([
      'Records are kept for 3 days (level debug), otherwise 30 days.',
      "This deletes 5,000 records (level debug) from before 12 Nov 2026 (UTC) and 7 records from before 16 Oct 2026 (UTC) within the hour. This can't be undone.",
    ])
  })

  it('says when there is nothing to delete', () => {
    expect(deletionWords({ retentionDays: 14 }, counted(0))[1]).toBe('No record is older, so nothing is deleted now.')
  })

  it('says why there is no number, and that records go all the same', () => {
    const away = new Error('The log store is starting. Try again in a moment.')
    expect(deletionWords({ retentionDays: 14 }, away)[1]).toBe(
      "The records that go could not be counted. The log store is starting. Try again in a moment. Everything older is deleted within the hour all the same. This can't be undone.",
    )
  })
})
