import { describe, expect, it } from 'vitest'
import { shaWords } from './words.ts'

describe('words of a sentence', () => {
  it('name a revision by the beginning of its hash, and any other as it is', () => {
    expect(shaWords('a1b2c3d4e5f6')).toBe('a1b2c3d')
    expect(shaWords('release\n2026')).toBe('release 2026')
  })
})
