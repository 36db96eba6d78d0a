import { describe, expect, it } from 'vitest'
import { undoOf } from './use-change-analysis.ts'

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
