import { expect, it } from 'vitest'
import { cutToLastUnits, cutToUnits, cutWithEllipsis, cutWithin } from './cut-text.ts'

it('keeps a text that is short enough', () => {
  expect([cutToUnits('a😀', 3), cutWithEllipsis('a😀', 3)]).toEqual(['a😀', 'a😀'])
})

it('leaves a character out whole where it does not fit', () => {
  expect(cutToUnits('a😀b', 2)).toBe('a')
  expect(cutWithEllipsis('a😀b', 2)).toBe('a…')
  expect([cutToLastUnits('a😀b', 2), cutToLastUnits('a😀b', 3)]).toEqual(['b', '😀b'])
})

it.each([
  ['the cart is empty', 17, 'the cart is empty'],
  ['the cart is empty', 16, 'the cart is…'],
  ['the cart is empty', 12, 'the cart is…'],
  ['Error: the cart, which is empty', 16, 'Error: the cart…'],
  ['of UnbelievablyLongName', 12, 'of Unbeliev…'],
  ['a😀😀', 4, 'a😀…'],
])('cuts %s to %d characters for a reader', (text, most, shown) => {
  expect(cutWithin(text, most)).toBe(shown)
  expect(shown.length).toBeLessThanOrEqual(most)
})
