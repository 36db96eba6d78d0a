import type { DeployDetailAnswer } from '@tidemark/wire/reading/deploys'
import { describe, expect, it } from 'vitest'
import { unbroken } from '../text/unbroken.ts'
import { errorsWords, expectedWords, verdictSentence } from './verdict-words.ts'

const NOW_MS = Date.parse('2026-11-16T10:00:00Z')

const counts = (minutes: number, records: number, errors: number) => ({
  from: new Date(NOW_MS - minutes * 60_000).toISOString(),
  to: new Date(NOW_MS).toISOString(),
  ...{ records, errors },
})

describe('the sentence of a verdict', () => {
  const sentence = (some: object) => {
    const deploy = { status: 'succeeded', deployedAt: '2026-11-16T09:00:00Z' }
    const usual = { deploy, verdict: 'good', checkAgainAt: null, windows: [{}], introduced: [], regressed: [] }
    return verdictSentence({ ...usual, ...some } as unknown as DeployDetailAnswer, NOW_MS)
  }

  it('says what is meant without the word of the verdict', () => {
    expect(sentence({ verdict: 'bad' })).toBe('This deploy very likely did harm.')
    expect(sentence({ verdict: 'suspect' })).toContain('may have another cause')
    expect(sentence({})).toBe('This deploy looks good.')
  })

  it('does not say that no errors are attributed to a deploy to which some are', () => {
    const regressed = [{ countsAgainst: true }]
    expect(sentence({ regressed })).toBe('There is too little evidence against this deploy to call it harmful.')
    expect(sentence({ introduced: [{ countsAgainst: false }] })).toBe('This deploy looks good.')
  })

  it('tells what will be known later from what never will', () => {
    expect(sentence({ verdict: 'too_early', checkAgainAt: '2026-11-16T10:05:00Z' })).toBe('It is too early to tell.')
    expect(sentence({ verdict: 'too_early' })).toBe('Too little was logged to judge this deploy.')
  })

  it('does not call a deploy young because the log store is away', () => {
    const unread = { verdict: 'too_early', checkAgainAt: '2026-11-16T10:01:00Z', windows: [] }
    expect(sentence(unread)).toBe('Tidemark cannot tell right now.')
    const deploy = { status: 'succeeded', deployedAt: '2026-11-16T12:00:00Z' }
    expect(sentence({ ...unread, deploy })).toBe('It is too early to tell.')
  })

  it.each([
    ['failed', 'This deploy failed and never went live'],
    ['cancelled', 'This deploy was cancelled and never went live'],
  ])('says of one that %s why there is no verdict', (status, words) => {
    expect(sentence({ verdict: null, deploy: { status } })).toContain(words)
  })
})

describe('when a verdict is expected', () => {
  it('is said from now on, and never in the past', () => {
    expect(expectedWords('2026-11-16T10:12:30Z', NOW_MS)).toBe(unbroken('Verdict expected in 12 min'))
    expect(expectedWords('2026-11-16T09:00:00Z', NOW_MS)).toBe('Verdict expected now')
    expect(expectedWords(null, NOW_MS)).toBeNull()
  })
})

describe('errors before and after', () => {
  it('are two rates an hour, with the length where the deploy has not run for an hour', () => {
    expect(errorsWords({ before: counts(60, 900, 2), after: counts(60, 900, 1_204) })).toEqual({
      comparison: '2 → 1,204 errors an hour',
      note: null,
      whole: unbroken('2 errors in 1 h before it, 1,204 in 1 h after it'),
    })
    expect(errorsWords({ before: counts(60, 900, 0), after: counts(4.2, 60, 1) })).toMatchObject({
      comparison: '0 → 14 errors an hour',
      note: unbroken('over 4 min 12 s'),
      whole: unbroken('0 errors in 1 h before it, 1 in 4 min 12 s after it'),
    })
  })

  it('are no fall where a shorter time had as many an hour', () => {
    expect(errorsWords({ before: counts(60, 900, 60), after: counts(20, 300, 20) })?.comparison).toBe(
      '60 → 60 errors an hour',
    )
  })

  it('are 0 only where there were none', () => {
    const rare = { before: counts(60 * 24 * 3, 9_000, 1), after: counts(60 * 24 * 3, 9_000, 0) }
    expect(errorsWords(rare)?.comparison).toBe('under 0.1 → 0 errors an hour')
  })

  it('are not set against each other until as much was seen as a verdict needs', () => {
    const young = { before: counts(60, 4_000, 133), after: counts(0.1, 40, 0), verdict: 'too_early' } as const
    expect(errorsWords({ ...young, checkAgainAt: '2026-11-16T10:05:00Z' })).toEqual({
      comparison: 'Too early to compare',
      note: null,
      whole: `0 errors in ${unbroken('6 s')} so far: too short to compare with the ${unbroken('1 h')} before it.`,
    })
    expect(errorsWords({ ...young, checkAgainAt: null })?.comparison).toBe('Too short to compare')
    expect(errorsWords({ ...young, verdict: 'bad' })?.comparison).toBe('133 → 0 errors an hour')
    // As long as before it, though few records came.
    expect(errorsWords({ ...young, after: counts(60, 9, 1) })?.comparison).toBe('133 → 1 errors an hour')
  })

  it('are a word where there are none', () => {
    expect(errorsWords({ before: counts(60, 900, 0), after: counts(60, 900, 0) })?.comparison).toBe('No errors')
  })

  it('are not zero where nothing was logged, or where it is not known', () => {
    expect(errorsWords({ before: counts(60, 0, 0), after: counts(60, 0, 0) })?.comparison).toBe('No records')
    expect(errorsWords({ before: null, after: null })).toBeNull()
  })
})
