import { describe, expect, it } from 'vitest'
import { HOSTILE_TEXTS, ORDINARY_TEXTS, unseenIn } from '../testing/stranger-text.ts'
import {
  codeText,
  replaceTerminalSequences,
  replaceUnseen,
  replaceUnseenBetweenLetters,
  strangerLine,
  withLineFeeds,
} from './stranger-text.ts'

const none = () => ''
const codePoints = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
const hex = (character: string) => character.codePointAt(0)?.toString(16)

describe('what cannot be seen', () => {
  it('is every control, ignorable, turning, selecting and line-ending character of Unicode, and no other', () => {
    const differing = codePoints.filter((one) => (replaceUnseen(one, none) === '') !== unseenIn(one).length > 0)
    expect(differing.map(hex)).toEqual([])
  })

  it('is every format character but those that can be seen, which are signs of Arabic, Syriac, Kaithi and Egyptian', () => {
    const seen = codePoints.filter((one) => /\p{Cf}/u.test(one) && replaceUnseen(one, none) === one)
    expect(seen.filter((one) => !/[\u0600-\u08ff]|\p{scx=Kthi}|\p{scx=Egyp}/u.test(one)).map(hex)).toEqual([])
  })

  it('is told by each character alone, the same with and without the letters around it', () => {
    const differing = codePoints.filter((one) => replaceUnseen(one, none) !== replaceUnseenBetweenLetters(one, none))
    expect(differing.map(hex)).toEqual([])
  })

  it.each(HOSTILE_TEXTS)('is gone from %s', (_, text) => {
    const shown = replaceUnseen(withLineFeeds(replaceTerminalSequences(text)), none)
    expect(unseenIn(shown)).toEqual([])
    expect(shown).toMatch(/^before.*after$/s)
  })
})

describe('between letters', () => {
  it.each(ORDINARY_TEXTS)('what people write stays: %s', (text) => {
    expect(replaceUnseenBetweenLetters(text, none)).toBe(text)
  })

  it('one selector or joiner stays where it belongs, and a second one does not', () => {
    const shown = (text: string) => replaceUnseenBetweenLetters(text, (one) => `<${hex(one)}>`)
    expect(shown('❤\ufe0f\ufe0f')).toBe('❤\ufe0f<fe0f>')
    expect(shown('😀\u200dx')).toBe('😀<200d>x')
    expect(shown('pass\u200dword\ufe0f')).toBe('pass<200d>word<fe0f>')
    expect(shown('1\ufe0f')).toBe('1<fe0f>')
    expect(shown('葛\u{e0100}\u{e0101}')).toBe('葛\u{e0100}<e0101>')
  })
})

describe('terminal sequences', () => {
  it('go with what they carry, and one that never ends loses its beginning only', () => {
    expect(replaceTerminalSequences('a\x1b]0;owned\x07b\x9b2Jc\x1b[0m')).toBe('abc')
    expect(replaceTerminalSequences('\x1b]0;the rest is evidence')).toBe('0;the rest is evidence')
  })
})

describe('a line of a message', () => {
  it('has no end of a line, no tab and nothing unseen, and is cut after a word', () => {
    expect(strangerLine(' a\r\nb\u2028c\td\u202e ')).toBe('a ⏎ b ⏎ c d')
    expect(strangerLine('the cart is empty', 12)).toBe('the cart is…')
    expect(strangerLine('x'.repeat(100_000)).length).toBe(300)
  })

  it.each([
    ['@here see https://evil.example or WWW.evil.example', '＠here see https[:]//evil.example or WWW[.]evil.example'],
    ['`x` and more', "'x' and more"],
    [' ', '(empty)'],
  ])('between code marks makes of %j neither a link nor a mention nor an end of them', (text, shown) => {
    expect(codeText(text)).toBe(shown)
  })
})
