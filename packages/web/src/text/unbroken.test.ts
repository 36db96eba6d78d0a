import { describe, expect, it } from 'vitest'
import { plainSentence } from './plain-text.ts'
import { unbroken } from './unbroken.ts'

/** Where a line may end. */
const parts = (text: string) => unbroken(text).split(' ')

describe('a number with its unit', () => {
  it.each([
    ['4 min 12 s', ['4 min 12 s']],
    ['1 d 1 h', ['1 d 1 h']],
    ['+1.5 ms', ['+1.5 ms']],
    ['3.5 MiB', ['3.5 MiB']],
    ['under 1 s', ['under', '1 s']],
    ['5 min ago', ['5 min', 'ago']],
    ['41 errors in 3 min, 12 since', ['41', 'errors', 'in', '3 min,', '12', 'since']],
    ['12 days and 3 servers', ['12', 'days', 'and', '3', 'servers']],
  ])('stays on one line: %s', (text, lines) => {
    expect(parts(text).map((part) => part.replaceAll('\u00a0', ' '))).toEqual(lines)
  })

  it('does so in the sentences of the service, which are made safe to look at too', () => {
    expect(plainSentence('It began\u200b 4 min 12 s after it')).toBe(
      'It began⟨U+200B⟩ 4\u00a0min\u00a012\u00a0s after it',
    )
  })
})
