import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowWriter } from './row-writer.ts'

function written(write: (writer: RowWriter) => void, firstBytes?: number): Buffer {
  const writer = new RowWriter(firstBytes)
  write(writer)
  return writer.take()
}

function leb128(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb128(Math.floor(value / 128))]
}

describe('a row writer', () => {
  it('writes any text as its length in bytes and its UTF-8', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    )
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const expected = texts.flatMap((one) => [Buffer.from(leb128(Buffer.byteLength(one))), Buffer.from(one)])
        const rows = written((writer) => {
          for (const one of texts) writer.string(one)
        }, 16)
        expect(rows).toEqual(Buffer.concat(expected))
      }),
    )
  })

  it('moves text whose length needs one more byte than was guessed', () => {
    const text = 'ü'.repeat(100)
    expect(written((writer) => writer.string(text))).toEqual(Buffer.concat([Buffer.from([200, 1]), Buffer.from(text)]))
  })

  it('puts a replacement character for half a surrogate pair', () => {
    expect(written((writer) => writer.string('a\ud800')).toString('hex')).toBe('0461efbfbd')
  })

  it('writes numbers with the lowest byte first', () => {
    const numbers = written((writer) => {
      writer.uint8(0xab)
      writer.uint16(0x0102)
      writer.uint64(0x01020304, 0xf5060708)
    })
    expect(numbers.toString('hex')).toBe('ab0201080706f504030201')
  })

  it('writes whole numbers of up to 53 bits, also negative ones', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(written((writer) => writer.int64(value)).readBigInt64LE()).toBe(BigInt(value))
      }),
    )
  })

  it('hands out rows that later writing does not touch', () => {
    const writer = new RowWriter(8)
    writer.string('first')
    const first = writer.take()
    writer.string('second, and longer than the buffer was')
    expect(first.toString()).toBe('\x05first')
    expect(writer.take().toString()).toBe('&second, and longer than the buffer was')
  })

  it('can forget what was written last', () => {
    const writer = new RowWriter()
    writer.string('kept')
    const length = writer.length
    writer.string('dropped')
    writer.cutTo(length)
    expect(writer.take().toString()).toBe('\x04kept')
  })
})
