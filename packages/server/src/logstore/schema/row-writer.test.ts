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

  it('gives room to callers that write the bytes themselves, and goes on after what was written', () => {
    const writer = new RowWriter(4)
    writer.string('abc')
    const row = writer.room(100)
    expect(row.length).toBeGreaterThanOrEqual(writer.length + 100)
    row.fill(0x78, writer.length, writer.length + 100)
    writer.wrote(writer.length + 100)
    writer.string('d')
    expect(Buffer.from(writer.copy()).toString()).toBe(`\x03abc${'x'.repeat(100)}\x01d`)
    expect(writer.length).toBe(0)
  })

  it('refuses a row that was written past the end of its room', () => {
    const writer = new RowWriter(16)
    const { length } = writer.room(16)
    writer.wrote(length)
    expect(() => writer.wrote(length + 3)).toThrow('A row ends 3 bytes past its room.')
    expect(writer.length).toBe(length)
  })

  it('copies rows into memory that is exactly as large and that later writing does not touch', () => {
    const writer = new RowWriter()
    writer.string('first')
    const first = writer.copy()
    writer.string('again')
    expect(Buffer.from(first).toString()).toBe('\x05first')
    expect(first.buffer.byteLength).toBe(first.length)
  })

  it.each([
    ['copied', (writer: RowWriter) => expect(writer.copy().length).toBe(LARGE + 4)],
    ['forgotten', (writer: RowWriter) => writer.cutTo(0)],
  ])('gives a very large buffer back when its rows are %s, and keeps one of usual size', (_, end) => {
    const writer = new RowWriter()
    writer.bytes(Buffer.alloc(LARGE))
    writer.bytes(Buffer.alloc(4))
    expect(writer.room(0).length).toBeGreaterThan(LARGE)
    end(writer)
    expect(writer.room(0).length).toBe(64 * 1024)

    writer.bytes(Buffer.alloc(100_000))
    const kept = writer.room(0)
    writer.cutTo(0)
    expect(writer.room(0) === kept).toBe(true)
    writer.string('small')
    expect(Buffer.from(writer.copy()).toString()).toBe('\x05small')
  })
})

const LARGE = 8 * 1024 * 1024
