import { expect, it } from 'vitest'
import { commitWords } from './commit-words.ts'

it('a deploy brings commits, and a rollback takes them back, or brings back those of another line of history', () => {
  expect(commitWords({ step: 'forward' }, false)).toBe('brought')
  expect(commitWords({ step: 'diverged' }, false)).toBe('brought')
  expect(commitWords({ step: 'rollback' }, true)).toBe('took back')
  expect(commitWords({ step: 'diverged' }, true)).toBe('brought back')
})
