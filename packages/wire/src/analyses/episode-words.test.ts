import { expect, it } from 'vitest'
import { episodeWords, SINCE_WORDS } from './episode-words.ts'

it('says how an episode began, as what happened and after what happened', () => {
  expect(episodeWords('first')).toBe(`seen ${SINCE_WORDS.first}`)
  expect(episodeWords('resolved')).toBe(`came back ${SINCE_WORDS.resolved}`)
  expect(episodeWords('quiet')).toBe(`came back ${SINCE_WORDS.quiet}`)
})

it('says how long it was quiet where that is known and matters', () => {
  expect(episodeWords('quiet', 864_000)).toBe('came back after a quiet time of 10 d')
  expect(episodeWords('resolved', 864_000)).toBe('came back after it was resolved')
})
