import { LEFT_OUT_FIELD } from '@tidemark/wire/senders/journal-names'
import { describe, expect, it } from 'vitest'
import { EntrySplitter } from './entry-splitter.ts'

const binary = (name: string, value: string | Buffer, length = BigInt(Buffer.byteLength(value))) => {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(length)
  return Buffer.concat([Buffer.from(`${name}\n`), size, Buffer.from(value), Buffer.from('\n')])
}
const joined = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))

/** In pieces of the size, which must not matter. */
function split(body: string | Buffer, size = Number.POSITIVE_INFINITY): string[] {
  const splitter = new EntrySplitter()
  const bytes = Buffer.from(body)
  const entries: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    entries.push(...splitter.push(Buffer.from(bytes.subarray(at, at + size))))
  }
  const last = splitter.end()
  return [...entries, ...(last === undefined ? [] : [last])].map((entry) => entry.toString('latin1'))
}
const SIZES = [Number.POSITIVE_INFINITY, 1, 2, 7, 1_000]

describe('a journal', () => {
  it.each(SIZES)('is told apart by its empty lines, in pieces of %d bytes', (size) => {
    const text = joined('\n\nA=1\nB=\n\n\n', binary('MESSAGE', 'two\n\nC=3'), 'D=4\n\nE=5=6\n')
    expect(split(text, size)).toEqual([
      'A=1\nB=\n',
      joined(binary('MESSAGE', 'two\n\nC=3'), 'D=4\n').toString('latin1'),
      'E=5=6\n',
    ])
  })

  it('of nothing but a few empty lines has no entries', () => {
    expect(split('\n'.repeat(16))).toEqual([])
    expect(split('')).toEqual([])
  })

  it('may have a few empty lines between entries, in all of it any number', () => {
    const text = `A=1\n\n${'\n'.repeat(16)}`.repeat(3)
    for (const size of SIZES) expect(split(text, size)).toEqual(['A=1\n', 'A=1\n', 'A=1\n'])
  })

  it.each<[string, () => Iterable<Buffer>]>([
    ['lines that are passed over', () => Array<Buffer>(5_000).fill(Buffer.from(`A=${'x'.repeat(300_000)}\n`))],
    [
      'fields that are passed over',
      () => [binary('A', '', 2n ** 30n - 99n), ...Array<Buffer>(1_100).fill(Buffer.alloc(2 ** 20))],
    ],
  ])('is refused when an entry of %s is larger than a gigabyte', (_, chunks) => {
    const splitter = new EntrySplitter()
    let bytes = 0
    expect(() => {
      for (const chunk of chunks()) {
        bytes += chunk.length
        expect([...splitter.push(chunk)]).toEqual([])
      }
    }).toThrow(/export format/)
    expect(bytes).toBeLessThan(2 ** 30 + 2 ** 21)
  })

  it('says what it holds of an entry, and holds nothing of one that is too large', () => {
    const splitter = new EntrySplitter()
    const held = ['A=1\nB', '=2\n', `C=${'x'.repeat(300_000)}`, '\n', 'A=1\n'.repeat(2_000), 'D=', '\n\n'].map(
      (text) => {
        for (const _ of splitter.push(Buffer.from(text)));
        return splitter.heldBytes
      },
    )
    expect(held).toEqual([5, 8, 8, 8, 0, 2, 0])
  })

  it.each(SIZES.slice(0, 1).concat(4_096))(
    'passes over fields that are too large, and says which, in pieces of %d bytes',
    (size) => {
      const large = 'x'.repeat(300_000)
      const text = joined(`A=1\nLONG=${large}\n`, binary('COREDUMP', large), 'B=2\n\nC=3\n\n')
      expect(split(text, size)).toEqual([`A=1\nB=2\n${LEFT_OUT_FIELD}=LONG COREDUMP\n`, 'C=3\n'])
    },
  )

  it.each([
    ['more than 256 KiB', Array.from({ length: 30 }, (_, at) => `F${at}=${'x'.repeat(10_000)}\n`).join('')],
    ['thousands of fields', 'A=1\n'.repeat(5_000)],
  ])('gives no bytes of an entry with %s, and goes on after it', (_, entry) => {
    expect(split(`A=1\n\n${entry}\nB=2\n\n`, 65_536)).toEqual(['A=1\n', '', 'B=2\n'])
  })

  it.each<[string, string | Buffer]>([
    [
      'a line without `=` that is no name',
      'hello, this is just a text that goes on for more than a name may be long\n\n',
    ],
    ['many empty lines', '\n'.repeat(17)],
    ['JSON', '{"MESSAGE":"a"}\n\n'],
    ['a name without a length', 'MESSAGE\n\n'],
    ['a length without its bytes', binary('A', 'abc', 100n)],
    ['a length that is too short', joined(binary('A', 'abc', 2n), '\n')],
    ['a length of 2^63', binary('A', 'abc', 2n ** 63n)],
    ['a length of 2^64 - 1', binary('A', 'abc', 2n ** 64n - 1n)],
    ['a length of two gigabytes', binary('A', 'abc', 2n ** 31n)],
    ['a large field without its end', binary('A', 'x'.repeat(300_000), 400_000n)],
    ['a large field with more than its length', joined(binary('A', 'x'.repeat(300_000), 299_000n), '\n')],
    ['a field that is cut off', 'A=1\n\nMESSAGE=hel'],
    ['a line without end and without `=`', 'x'.repeat(300_000)],
    ['a name without end', `${'N'.repeat(65)}\n\n`],
  ])('is refused when it holds %s', (_, body) => {
    for (const size of [Number.POSITIVE_INFINITY, 4_096]) {
      expect(() => split(body, size)).toThrow(/not in the journal export format: .* in entry \d\. Send what/)
    }
  })

  it('gives out what came before it broke', () => {
    const splitter = new EntrySplitter()
    const entries: Buffer[] = []
    expect(() => {
      for (const entry of splitter.push(Buffer.from('A=1\n\nB=2\n\n{}\n'))) entries.push(entry)
    }).toThrow(/in entry 3/)
    expect(entries.map(String)).toEqual(['A=1\n', 'B=2\n'])
  })

  it('of any bytes is split or refused, and nothing else, whatever its pieces', () => {
    for (let round = 0; round < 500; round++) {
      const bytes = Buffer.from(
        Array.from({ length: 60 }, (_, at) =>
          'AB=\n\n\0\x05x'.charCodeAt((round * 31 + at * at * 7 + (round >> (at % 9))) % 8),
        ),
      )
      const outcomes = SIZES.map((size) => {
        try {
          return split(bytes, size)
        } catch (error) {
          return String(error)
        }
      })
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    }
  })
})
