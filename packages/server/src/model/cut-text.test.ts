import { expect, it } from 'vitest'
import { cutToBytes, cutToCharacters, cutToLastBytes, cutWithEllipsis } from './cut-text.ts'

it('keeps a text that is short enough', () => {
  expect([cutToBytes('a€', 4), cutToLastBytes('a€', 4), cutToCharacters('a😀', 3), cutWithEllipsis('a😀', 3)]).toEqual([
    'a€',
    'a€',
    'a😀',
    'a😀',
  ])
})

it('leaves a character out whole where it does not fit', () => {
  expect(cutToBytes('a€b', 3)).toBe('a')
  expect(cutToLastBytes('a€b', 3)).toBe('b')
  expect(cutToCharacters('a😀b', 2)).toBe('a')
  expect(cutWithEllipsis('a😀b', 2)).toBe('a…')
})
