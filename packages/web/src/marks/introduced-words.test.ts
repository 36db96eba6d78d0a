import { expect, it } from 'vitest'
import { introducedWords } from './introduced-words.ts'

it('counts what a deploy introduced only where there is something', () => {
  expect([0, 1, 2].map(introducedWords)).toEqual([null, '1 new analysis since', '2 new analyses since'])
})
