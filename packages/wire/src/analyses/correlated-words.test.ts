import { expect, it } from 'vitest'
import { anchorWords, changeWord } from './correlated-words.ts'

it('tells the first error of all from the one that began a later episode', () => {
  expect(anchorWords({ firstSeen: '2026-01-31T11:34:00Z', anchor: '2026-01-31T11:34:00Z' })).toBe('the first error')
  expect(anchorWords({ firstSeen: 1_000, anchor: 2_000 })).toBe('the error that brought it back')
})

it('calls a deploy only what was recorded as one', () => {
  expect([changeWord('recorded'), changeWord('inferred'), changeWord(null)]).toEqual(['deploy', 'commit', 'deploy'])
})
