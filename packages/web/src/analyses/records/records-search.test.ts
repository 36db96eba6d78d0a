import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { describe, expect, it } from 'vitest'
import { frameSearch, recordsSearch, standoutSearch } from './records-search.ts'

const ANALYSIS = {
  recordsQuery: 'fingerprint:f00dfeedcafe0123',
  environment: 'production',
  firstSeen: '2026-11-15T10:00:00.000001Z',
  lastSeen: '2026-11-15T11:00:00.5Z',
  course: { onset: '2026-11-15T10:40:00Z' },
} as AnalysisDetail

describe('the records of an analysis', () => {
  it('are searched for in a window that holds the first and the last of them', () => {
    const { query, environment, from, to } = recordsSearch(ANALYSIS)
    expect({ query, environment, from }).toEqual({
      query: 'fingerprint:f00dfeedcafe0123',
      environment: 'production',
      from: '2026-11-15T10:00:00.000001Z',
    })
    expect(Date.parse(to)).toBeGreaterThan(Date.parse(ANALYSIS.lastSeen))
  })

  it('are narrowed to one value, whatever characters it is made of', () => {
    expect(recordsSearch(ANALYSIS, { field: fieldNamed('host'), value: 'web 1"' }).query).toBe(
      'fingerprint:f00dfeedcafe0123 host:"web 1\\""',
    )
  })

  it('that have what stands out are searched for since they began', () => {
    const { query, from, to } = standoutSearch(ANALYSIS, { query: 'fingerprint:f00dfeedcafe0123 tenant:northwind' })
    expect({ query, from }).toEqual({
      query: 'fingerprint:f00dfeedcafe0123 tenant:northwind',
      from: '2026-11-15T10:40:00Z',
    })
    expect(Date.parse(to)).toBeGreaterThan(Date.parse(ANALYSIS.lastSeen))
  })

  it('of a file are looked for in every analysis', () => {
    expect(frameSearch(ANALYSIS, { file: 'src/cart/totals.ts' }).query).toMatch(/^error\.stack:/)
  })
})
