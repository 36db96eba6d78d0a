import { describe, expect, it } from 'vitest'
import { unbroken } from '../../text/unbroken.ts'
import { errorShareWords, shareChange, shorterWords } from './windows.ts'

const AT_MS = Date.parse('2026-11-16T10:00:00Z')
const counts = (records: number, errors: number, minutes = 60) => ({
  from: new Date(AT_MS).toISOString(),
  to: new Date(AT_MS + minutes * 60_000).toISOString(),
  ...{ records, errors },
})

describe('the share of errors', () => {
  it.each([
    [100, 0, '0 %'],
    [900, 2, '0.2 %'],
    [96, 3, '3.1 %'],
    [96, 37, '39 %'],
    [1_000_000, 3, '<0.1 %'],
    [0, 0, '–'],
  ])('of %i records with %i errors is told like every other share: %s', (records, errors, words) => {
    expect(errorShareWords(counts(records, errors))).toBe(words)
  })
})

describe('the comparison', () => {
  const compared = (before: [number, number], after: [number, number]) =>
    shareChange({ before: counts(...before), after: counts(...after) })

  it('is one of the share, because there may be more records than before', () => {
    expect(compared([100, 2], [200, 4])).toEqual({ words: 'About the same', isRise: false })
    expect(compared([104, 2], [96, 37])).toEqual({ words: '20 times the share', isRise: true })
    expect(compared([100, 10], [100, 15])).toEqual({ words: '1.5 times the share', isRise: true })
    expect(compared([100, 10], [200, 4])).toEqual({ words: 'Fell to 20 %', isRise: false })
  })

  it('has no factor where there was nothing before, or is nothing since', () => {
    expect(compared([100, 0], [100, 4])).toEqual({ words: 'No errors before', isRise: true })
    expect(compared([100, 4], [100, 0]).words).toBe('No more errors')
    expect(compared([100, 0], [100, 0]).words).toBe('No errors')
    expect(compared([0, 0], [100, 4])).toEqual({ words: 'Nothing to compare', isRise: false })
    expect(compared([100, 4], [0, 0]).words).toBe('Nothing to compare')
  })
})

describe('a window that is shorter after the deploy', () => {
  const words = (minutes: number, answeredMinutes: number, isAwaited = false) =>
    shorterWords(
      { minutes: 60, after: counts(10, 0, minutes) },
      { answeredMs: AT_MS + answeredMinutes * 60_000, isAwaited },
    )

  it('says whether it runs on or was replaced', () => {
    expect(words(16, 17)).toBe(unbroken('16 min so far'))
    expect(words(16, 40)).toBe(unbroken('16 min, then it was replaced'))
    expect(words(60, 90)).toBeNull()
  })

  it('runs on while the verdict is waited for, however long the page is open', () => {
    expect(words(16, 40, true)).toBe(unbroken('16 min so far'))
  })
})
