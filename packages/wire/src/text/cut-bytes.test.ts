import { expect, it } from 'vitest'
import { cutToBytes, cutToLastBytes } from './cut-bytes.ts'

it('keeps a text that is short enough', () => {
  expect([cutToBytes('a€', 4), cutToLastBytes('a€', 4)]).toEqual(['a€', 'a€'])
})

it('leaves a character out whole where it does not fit', () => {
  expect(cutToBytes('a€b', 3)).toBe('a')
  expect(cutToLastBytes('a€b', 3)).toBe('b')
  expect([cutToBytes('\ufeffab', 4), cutToLastBytes('b\ufeffa', 4)]).toEqual(['\ufeffa', '\ufeffa'])
})
