import { expect, it } from 'vitest'
import { heldText } from './held-keys.ts'

it('holds what keys write, and no other key', () => {
  const typed = (...keys: string[]) => keys.reduce(heldText, '')
  expect(typed('a', 'u', 'Shift', 'D', ' ', 'ü', '😀', 'Enter', 'ArrowLeft', 'Dead')).toBe('auD ü😀')
  expect(typed('a', '😀', 'Backspace', 'b')).toBe('ab')
  expect(typed('Backspace')).toBe('')
})
