import { HOSTILE_TEXTS, ORDINARY_TEXTS, unseenIn } from '@tidemark/wire/testing/stranger-text'
import { describe, expect, it } from 'vitest'
import { untrustedLine } from './untrusted-line.ts'

describe('a line of a repository', () => {
  it.each(HOSTILE_TEXTS)('has no %s', (_, text) => {
    expect(untrustedLine(`${text}\n\t`, 200)).toMatch(/^before.*after\ufffd\ufffd$/)
    expect(unseenIn(untrustedLine(text, 200))).toEqual([])
  })

  it.each(ORDINARY_TEXTS)('stays as people write it: %s', (text) => {
    expect(untrustedLine(text, 200)).toBe(text)
  })

  it('is cut to its length, never inside a character', () => {
    expect(untrustedLine('abcdef', 4)).toBe('abc…')
    expect(untrustedLine('ab🚀def', 4)).toBe('ab…')
  })
})
