import { describe, expect, it } from 'vitest'
import { oneLine, terminalJson, terminalText } from './terminal-text.ts'

/** Everything that a terminal obeys or that a reader cannot see. */
const STEERING = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/

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
    expect(terminalText(text)).not.toMatch(STEERING)
  })

  it('keeps every letter and its lines', () => {
    expect(terminalText('Grüße 🚀\n  日本')).toBe('Grüße 🚀\n  日本')
    expect(oneLine('a\n   b')).toBe('a ⏎ b')
  })

  it('is the same as JSON with everything of that kind escaped', () => {
    const value = { text: '\u001b[31m\u009b2J\u202e\u{e0041}é' }
    expect(terminalJson(value)).not.toMatch(STEERING)
    expect(terminalJson(value)).toContain('é')
    expect(JSON.parse(terminalJson(value))).toEqual(value)
  })
})
