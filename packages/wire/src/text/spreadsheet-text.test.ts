import { describe, expect, it } from 'vitest'
import { outOfSpreadsheet, safeInSpreadsheet } from './spreadsheet-text.ts'

const TRIGGERS = ['=', '+', '-', '@', '＝']
/** Characters that spreadsheets skip, or that end a cell in some locale, or that matter to quoting. */
const PARTS = [...TRIGGERS, ';', '\t', '\n', '\r', ' ', '\u00a0', '\u200b', '\ufeff', '"', "'", ',', 'x']

/** Cells of a text as a spreadsheet shows them that splits at `;`, tabs and lines, without what it skips before the first sign. */
const cellStarts = (text: string) =>
  text.split(/[;\t\r\n]/).map((cell) => cell.replace(/^[\s"\u00a0\u200b\ufeff]+/, '').slice(0, 1))

describe('a text for a spreadsheet', () => {
  it.each([
    "x;=cmd|' /C calc'!A0;y",
    'x\t=1',
    'two lines\n=1',
    'x; "=1',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '\ufeff@a',
    '"=1',
  ])('holds no formula in any locale: %j', (text) => {
    expect(cellStarts(text).some((start) => TRIGGERS.includes(start))).toBe(true)
    expect(cellStarts(safeInSpreadsheet(text)).some((start) => TRIGGERS.includes(start))).toBe(false)
  })

  it.each(['a = b', 'a;b', 'a, -b', '{"a":-1}', 'x@example.com', "it's", ''])(
    'stays as it is without one: %j',
    (text) => {
      expect(safeInSpreadsheet(text)).toBe(text)
    },
  )

  it('is the same again after the way back, for every short text of the signs that matter', () => {
    for (const first of PARTS) {
      for (const second of PARTS) {
        for (const third of PARTS) {
          for (const text of [`${first}${second}${third}`, `x;${first}${second}${third}=`]) {
            const safe = safeInSpreadsheet(text)
            expect(outOfSpreadsheet(safe)).toBe(text)
            if (cellStarts(safe).some((start) => TRIGGERS.includes(start))) expect.fail(JSON.stringify({ text, safe }))
          }
        }
      }
    }
  })

  it('costs time in proportion to its length', () => {
    const long = `${';'.repeat(200_000)}${' \u2028'.repeat(200_000)}x`
    expect(safeInSpreadsheet(long)).toBe(long)
  })
})
