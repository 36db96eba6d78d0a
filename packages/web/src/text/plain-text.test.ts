import { HOSTILE_TEXTS, ORDINARY_TEXTS, unseenIn } from '@tidemark/wire/testing/stranger-text'
import { describe, expect, it } from 'vitest'
import { plainBeginning, plainLine, plainText } from './plain-text.ts'

describe('text of a stranger', () => {
  it('loses the colour codes and links of terminals', () => {
    expect(plainText('\u001b[31;1mred\u001b[0m \u001b]8;;http://evil.example\u0007here\u001b]8;;\u0007')).toBe(
      'red here',
    )
  })

  it('shows characters that turn the line around or cannot be seen', () => {
    expect(plainText('user\u202egnp.exe a\u200bb \ufeff')).toBe('user⟨U+202E⟩gnp.exe a⟨U+200B⟩b ⟨U+FEFF⟩')
    expect(plainText('tag \u{e0041}')).toBe('tag ⟨U+E0041⟩')
  })

  it('shows control characters as their pictures and keeps lines and tabs', () => {
    expect(plainText('a\u0000b\u0007c\td\r\ne\u007f')).toBe('a␀b␇c\td\ne␡')
  })

  it('shows an escape that begins nothing', () => {
    expect(plainText('a\u001b')).toBe('a␛')
  })

  it.each(HOSTILE_TEXTS)('hides no %s, in a text or on a line', (_, text) => {
    for (const shown of [plainText(text), plainLine(text)]) {
      expect(shown).toMatch(/^before.*after$/s)
      expect(unseenIn(shown)).toEqual([])
    }
    expect(plainLine(text)).not.toMatch(/[\t\n]/)
  })

  it.each(ORDINARY_TEXTS)('stays as people write it: %s', (text) => {
    expect(plainLine(text)).toBe(text)
  })

  it('never lets one record look like two in the stream', () => {
    expect(plainLine('first\nsecond\r\nthird\tend')).toBe('first ⏎ second ⏎ third end')
  })

  it('is cut before a character of which only half would fit', () => {
    expect([plainBeginning('ab😀', 3), plainBeginning('ab😀', 4)]).toEqual(['ab', 'ab😀'])
  })

  it('keeps what people write, emoji and other scripts included', () => {
    const text = 'Größe 你好 مرحبا 👩🏽‍🚒'
    expect(plainText(text)).toBe(text)
    expect(plainText('pass\u200dword')).toBe('pass⟨U+200D⟩word')
  })
})
