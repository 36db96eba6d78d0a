import { describe, expect, it } from 'vitest'
import type { SummarySentence } from './analysis.ts'
import { isIncomplete } from './is-incomplete.ts'

const sentence = (change: Partial<SummarySentence>): SummarySentence => ({
  text: 'A sentence.',
  evidence: 'occurrences',
  query: 'fingerprint:a',
  from: '2026-11-15T03:00:00Z',
  to: null,
  ...change,
})
const saying = (...sentences: SummarySentence[]) => ({ sentences })

describe('an analysis', () => {
  it('is incomplete when a sentence about its occurrences can show no records', () => {
    expect(isIncomplete(saying(sentence({}), sentence({ query: null, from: null })))).toBe(true)
  })

  it('is complete when every sentence has its records, or rests on something else', () => {
    expect(isIncomplete(saying(sentence({}), sentence({ evidence: 'repository', query: null })))).toBe(false)
    expect(isIncomplete(saying())).toBe(false)
  })
})
