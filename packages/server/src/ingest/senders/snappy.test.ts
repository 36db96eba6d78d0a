import { describe, expect, it } from 'vitest'
import { unsnappy } from './snappy.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const broken = /not valid snappy data/

describe('snappy', () => {
  it.each([
    ['nothing', [0], ''],
    ['a literal', [5, 4 << 2, ...Buffer.from('hello')], 'hello'],
    ['a literal with its length in a byte', [5, 60 << 2, 4, ...Buffer.from('hello')], 'hello'],
    ['a literal with its length in two bytes', [5, 61 << 2, 4, 0, ...Buffer.from('hello')], 'hello'],
    ['a near copy', [8, 3 << 2, ...Buffer.from('abcd'), 0b00000001, 4], 'abcdabcd'],
    ['a far copy', [8, 3 << 2, ...Buffer.from('abcd'), (3 << 2) | 2, 4, 0], 'abcdabcd'],
    ['a copy from very far', [8, 3 << 2, ...Buffer.from('abcd'), (3 << 2) | 3, 4, 0, 0, 0], 'abcdabcd'],
    ['a run, which copies what it writes', [10, 0, 0x78, (8 << 2) | 2, 1, 0], 'xxxxxxxxxx'],
  ])('with %s is read', (_, bytes, expected) => {
    expect(text(unsnappy(Uint8Array.from(bytes)))).toBe(expected)
  })

  /** Written by google/snappy through its Node binding. */
  it.each([
    [
      'a long run',
      'a'.repeat(3_000),
      'uBcAYf4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BAP4BANoBAA==',
    ],
    [
      'lines that are nearly alike',
      Array.from({ length: 60 }, (_, at) => `line ${at} of many\n`).join(''),
      'tgc4bGluZSAwIG9mIG1hbnkKBQ8AMTYPAAAyNg8AADM2DwAANDYPAAA1Ng8AADY2DwAANzYPAAA4Ng8AADk2DwAAMT6XADqYAAAxOpkAADE6mgAAMTqbAAAxOpwAADE6nQAAMTqeAAAxOp8AADE6oAAAMjqgAAAyOqAABDIyNtAAADI6oAAAMjqgAAAyOqAAADI6oAAAMjqgAAAyOqAAADI6oAAAMzqgAAAzOqAAADM6oAAAMzqgAAAzOqAAADM6oAAAMzqgAAAzOqAAADM6oAAAMzqgAAA0OqAAADQ6oAAANDqgAAA0OqAAADQ6oAAANDqgAAA0OqAAADQ6oAAANDqgAAA0OqAABDUwNsABADU6oAAANTqgAAA1OqAAADU6oAAANTqgAAA1OqAAADU6oAAANTqgACg1OSBvZiBtYW55Cg==',
    ],
  ])('as the library of others writes it is read: %s', (_, expected, sent) => {
    expect(text(unsnappy(Buffer.from(sent, 'base64')))).toBe(expected)
  })

  it.each([
    ['no bytes', []],
    ['a length that does not end', [0x80]],
    ['a length of more than 32 bits', [0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ['a literal that is cut off', [5, 4 << 2, 0x68]],
    ['a literal longer than declared', [2, 4 << 2, ...Buffer.from('hello')]],
    ['less than declared', [9, 4 << 2, ...Buffer.from('hello')]],
    ['a length that is cut off', [5, 61 << 2, 4]],
    ['a literal of four gigabytes', [5, 63 << 2, 0xff, 0xff, 0xff, 0xff, 1, 2]],
    ['a copy from before the beginning', [8, 3 << 2, ...Buffer.from('abcd'), (3 << 2) | 2, 5, 0]],
    ['a copy of nothing', [8, 3 << 2, ...Buffer.from('abcd'), (3 << 2) | 2, 0, 0]],
    ['a copy past the end', [6, 3 << 2, ...Buffer.from('abcd'), (3 << 2) | 2, 4, 0]],
    ['an offset that is cut off', [8, 3 << 2, ...Buffer.from('abcd'), (3 << 2) | 2, 4]],
    ['ten megabytes out of a few bytes', [0x80, 0x80, 0x80, 0x05, 0, 0x61]],
  ])('with %s is refused', (_, bytes) => {
    expect(() => unsnappy(Uint8Array.from(bytes))).toThrow(broken)
  })

  it('that declares more than a request may hold is refused before it is inflated', () => {
    expect(() => unsnappy(Uint8Array.of(0x81, 0x80, 0x80, 0x0a, 0))).toThrow(/more than 20 MiB/)
  })

  it('of any bytes is read or refused, and nothing else', () => {
    for (let round = 0; round < 3_000; round++) {
      const bytes = Uint8Array.from(
        { length: 40 },
        (_, at) => (round * 7919 + at * at * 104_729 + (round >> (at % 9))) & 0xff,
      )
      bytes[0] = round % 100
      try {
        expect(unsnappy(bytes).length).toBe(round % 100)
      } catch (error) {
        expect(String(error)).toMatch(broken)
      }
    }
  })
})
