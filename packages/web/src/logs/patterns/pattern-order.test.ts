import type { LogPattern } from '@tidemark/wire/reading/patterns'
import { describe, expect, it } from 'vitest'
import { changesOf, inOrder, sortOf } from './pattern-order.ts'

const pattern = (id: string, more: Partial<LogPattern>) => ({ id, state: null, ...more }) as LogPattern
const PATTERNS = [
  pattern('gone', { state: 'gone', count: 0, firstSeen: '2026-11-15T08:00:00Z' }),
  pattern('new', { state: 'new', count: 20, firstSeen: '2026-11-15T10:30:00.5Z' }),
  pattern('old', { state: 'steady', count: 900, firstSeen: '2026-11-15T10:00:00Z' }),
  pattern('newest', { state: 'new', count: 20, firstSeen: '2026-11-15T10:30:00.51Z' }),
]
const ids = (patterns: readonly LogPattern[]) => patterns.map(({ id }) => id)

describe('the order of patterns', () => {
  it('is that of the service, unless another one is asked for', () => {
    expect(sortOf(undefined, true)).toBe('change')
    expect(sortOf('nonsense', true)).toBe('change')
    expect(ids(inOrder(PATTERNS, 'change'))).toEqual(['gone', 'new', 'old', 'newest'])
  })

  it('is by records where nothing is compared', () => {
    expect(sortOf(undefined, false)).toBe('count')
    expect(sortOf('change', false)).toBe('count')
    expect(sortOf('newest', false)).toBe('newest')
  })

  it('by records has the most frequent first, and equal ones as the service has them', () => {
    expect(ids(inOrder(PATTERNS, 'count'))).toEqual(['old', 'new', 'newest', 'gone'])
  })

  it('by time has what began last first', () => {
    expect(ids(inOrder(PATTERNS, 'newest'))).toEqual(['newest', 'new', 'old', 'gone'])
  })
})

describe('what changed', () => {
  it('is counted by state, without what is steady', () => {
    expect(changesOf(PATTERNS)).toBe('2 new, 1 gone')
    expect(changesOf(PATTERNS.slice(2, 3))).toBe('')
  })
})
