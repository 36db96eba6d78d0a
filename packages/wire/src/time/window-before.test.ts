import { expect, it } from 'vitest'
import { windowBefore } from './window-before.ts'

it('the window before is as long and ends where the other begins', () => {
  const window = { from: '2026-11-15T10:00:00Z', to: '2026-11-15T11:30:00Z' }
  expect(windowBefore(window)).toEqual({ from: '2026-11-15T08:30:00.000Z', to: window.from })
})

it('the window before does not begin before 1970', () => {
  const window = { from: '1970-01-02T00:00:00Z', to: '2026-11-15T00:00:00Z' }
  expect(windowBefore(window)).toEqual({ from: '1970-01-01T00:00:00.000Z', to: window.from })
})
