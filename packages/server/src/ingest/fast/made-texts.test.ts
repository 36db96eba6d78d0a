import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MADE, MadeTexts } from './made-texts.ts'

function textFrom(made: MadeTexts, from: number): string {
  return Buffer.from(made.bytes.subarray(from - MADE, made.end - MADE)).toString()
}

describe('a text that is made', () => {
  it('reads as the number, the id or the quoted text it stands for', () => {
    const made = new MadeTexts(200)
    expect(textFrom(made, made.hex(Buffer.from([0, 0x4b, 0xf9, 0xff]), 1, 4))).toBe('4bf9ff')
    expect(textFrom(made, made.quoted(Buffer.from('x12y'), 1, 3))).toBe('"12"')
    expect(textFrom(made, made.ascii('true'))).toBe('true')
    fc.assert(
      fc.property(fc.nat(2 ** 49), (value) => {
        made.length = 7
        expect(textFrom(made, made.integer(value))).toBe(String(value))
      }),
    )
    for (const value of [0, 9, 10, 99, 100, 2 ** 49 - 1]) {
      made.length = 0
      expect(textFrom(made, made.integer(value))).toBe(String(value))
    }
  })

  it('is none where there is no room for it, and takes no part of the room', () => {
    const made = new MadeTexts(4)
    expect(made.hex(Buffer.alloc(3), 0, 3)).toBe(0)
    expect(made.quoted(Buffer.alloc(3), 0, 3)).toBe(0)
    expect(made.integer(12_345)).toBe(0)
    expect(made.ascii('false')).toBe(0)
    expect(made.length).toBe(0)
    expect(made.integer(1_234)).toBe(MADE)
    expect(made.integer(1)).toBe(0)
  })
})
