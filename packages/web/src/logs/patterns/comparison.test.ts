import { comparisonOf } from '@tidemark/wire/dashboard/logs-question'
import { describe, expect, it } from 'vitest'
import { patternsInputOf } from './comparison.ts'

const FILTER = { query: 'level:error', environment: 'production', from: '-1h', to: undefined }
const WINDOW = { from: '2026-11-15T10:00:00.000250Z', to: '2026-11-15T11:00:00.000250Z' }
const NARROWED = { query: 'level:error', environment: 'production', limit: 500 }

describe('the patterns that are asked for', () => {
  it('are those of the window that was counted, compared with the time before, as long', () => {
    expect(patternsInputOf(FILTER, comparisonOf(undefined), WINDOW)).toEqual({
      ...NARROWED,
      ...WINDOW,
      compare: 'previous',
    })
  })

  it('are compared with nothing when comparing is off', () => {
    expect(patternsInputOf(FILTER, comparisonOf('off'), WINDOW)).toEqual({ ...NARROWED, ...WINDOW })
  })

  it('are those of a deploy without any window of their own', () => {
    const asked = { ...NARROWED, deployId: 'dep_1' }
    expect(patternsInputOf(FILTER, comparisonOf('dep_1'), WINDOW)).toEqual(asked)
    expect(patternsInputOf(FILTER, comparisonOf('dep_1'), undefined)).toEqual(asked)
  })

  it('wait for the window', () => {
    expect(patternsInputOf(FILTER, comparisonOf(undefined), undefined)).toBeUndefined()
    expect(patternsInputOf(FILTER, comparisonOf('off'), undefined)).toBeUndefined()
  })
})
