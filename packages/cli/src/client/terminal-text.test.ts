import { HOSTILE_TEXTS, ORDINARY_TEXTS, unseenIn } from '@tidemark/wire/testing/stranger-text'
import { describe, expect, it } from 'vitest'
import { oneLine, terminalJson, terminalText } from './terminal-text.ts'

describe('text of strangers on a terminal', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a link', '\u001b]8;;http://x\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['a clipboard write', '\u001b]52;c;cm0gLXJm\u0007', ''],
    ['one-byte controls', '\u009b2Jx\u0090q\u009cy', 'xy'],
    ['a carriage return that would overwrite', 'safe\rEVIL', 'safe\nEVIL'],
    ['a bell and a backspace', 'a\u0007\u0008b', 'a��b'],
    ['turned direction', 'a\u202egpj.exe\u202c', 'agpj.exe'],
    ['nothing that is split by something invisible', '\u001b\u200b[31mx', '[31mx'],
    ['half a character', 'a\ud800b', 'a�b'],
    ['tabs', 'a\tb', 'a    b'],
  ])('loses %s', (_, text, shown) => {
    expect(terminalText(text)).toBe(shown)
    expect(unseenIn(terminalText(text))).toEqual([])
  })

  it.each(HOSTILE_TEXTS)('shows no %s, as text, as a line or as JSON', (_, text) => {
    for (const shown of [terminalText(text), oneLine(text), terminalJson({ text })]) {
      expect(unseenIn(shown)).toEqual([])
      expect(shown).toMatch(/before.*after/s)
    }
    expect(oneLine(text)).not.toContain('\n')
    expect(JSON.parse(terminalJson({ text }))).toEqual({ text })
  })

  it.each(ORDINARY_TEXTS)('keeps what people write: %s', (text) => {
    expect(terminalText(text)).toBe(text)
    expect(terminalJson(text)).toBe(JSON.stringify(text))
  })

  it('keeps every letter and its lines', () => {
    expect(terminalText('Grüße 🚀\n  日本')).toBe('Grüße 🚀\n  日本')
    expect(oneLine('a\n   b')).toBe('a ⏎ b')
  })

  it('is the same as JSON with everything of that kind escaped', () => {
    const value = { text: '\u001b[31m\u009b2J\u202e\u{e0041}é' }
    expect(unseenIn(terminalJson(value))).toEqual([])
    expect(terminalJson(value)).toContain('é')
    expect(JSON.parse(terminalJson(value))).toEqual(value)
  })
})
