import { describe, expect, it } from 'vitest'
import { actionOf, keysOf, undoOf } from './analysis-action.ts'

describe('a key', () => {
  it.each([
    [['new'], 'resolve', 'ignore'],
    [['regressed', 'ignored'], 'resolve', 'ignore'],
    [['resolved'], 'reopen', 'reopen'],
    [['ignored'], 'reopen', 'reopen'],
    [['resolved', 'ignored'], 'reopen', 'reopen'],
  ] as const)('does to %j what a button offers', (states, resolves, ignores) => {
    expect([actionOf('e', states), actionOf('i', states)]).toEqual([resolves, ignores])
  })

  it('is named by the button that does the same', () => {
    expect(keysOf('resolve', ['new'])).toBe('e')
    expect(keysOf('ignore', ['new'])).toBe('i')
    expect(keysOf('reopen', ['ignored'])).toBe('e or i')
  })
})

describe('taking a change of state back', () => {
  it.each([
    ['resolve', 'new', 'reopen'],
    ['ignore', 'regressed', 'reopen'],
    ['reopen', 'resolved', 'resolve'],
    ['reopen', 'ignored', 'ignore'],
    ['ignore', 'resolved', 'resolve'],
    ['resolve', 'ignored', 'ignore'],
  ] as const)('after %s of what was %s means %s', (action, before, undo) => {
    expect(undoOf(action, before)).toBe(undo)
  })
})
