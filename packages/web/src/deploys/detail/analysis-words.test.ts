import { NOTHING_EXPLAINS } from '@tidemark/wire/analyses/cause-words'
import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import { describe, expect, it } from 'vitest'
import { unbroken } from '../../text/unbroken.ts'
import { blameWords, whenWords } from './analysis-words.ts'

const AT = '2026-11-16T10:00:00Z'

describe('beside an analysis stands when', () => {
  const when = (some: Partial<DeployAnalysis>, hasEnded = false) =>
    whenWords({ began: 'first', onset: '2026-11-16T10:04:12Z', end: null, ...some }, AT, hasEnded)

  it('it began, came back or grew, counted from the deploy', () => {
    expect(when({})).toBe(unbroken('Began 4 min 12 s after it'))
    expect(when({ began: 'resolved' })).toBe(unbroken('Came back after it was resolved, 4 min 12 s after it'))
    expect(when({ began: 'grew' })).toBe(unbroken('Grew from 4 min 12 s after it'))
    expect(when({ onset: '2026-11-16T09:59:20Z' })).toBe(unbroken('Began 40 s before it was recorded'))
  })

  it('its last error was, where it ended', () => {
    expect(when({ end: '2026-11-16T09:59:48Z' }, true)).toBe(unbroken('Last error 12 s before it'))
    expect(when({ end: AT }, true)).toBe(unbroken('Last error 0 s after it'))
    expect(when({}, true)).toBe('Ended with it')
  })
})

describe('beside an analysis stands whether the deploy is the cause', () => {
  const blame = (countsAgainst: boolean, likelyCause: object | null) =>
    blameWords({ countsAgainst, likelyCause } as DeployAnalysis)

  it('as sure as it is', () => {
    expect(blame(true, { kind: 'deploy', confidence: 'high' })).toBe('Likely caused by this deploy')
    expect(blame(true, { kind: 'deploy', confidence: 'low' })).toBe('Perhaps caused by this deploy')
    expect(blame(false, { kind: 'dependency', confidence: 'high' })).toBe('Probably unrelated to this deploy')
    expect(blame(false, { kind: 'deploy', confidence: 'medium' })).toBe('Probably unrelated to this deploy')
  })

  it('and never that it is unrelated where the cause is not known', () => {
    expect(blame(false, { kind: 'unknown', title: NOTHING_EXPLAINS, confidence: 'low' })).toBe(NOTHING_EXPLAINS)
    expect(blame(false, null)).toBe('Open it to see its cause')
  })
})
