import { describe, expect, it } from 'vitest'
import { OpenBatch } from './batch.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a batch that is written', () => {
  it.each([1, 100, 20_000, 5_000_000])('takes exactly the memory of its %i bytes once it is sealed', (length) => {
    const open = new OpenBatch()
    open.append('x'.repeat(length))
    const { bytes, records } = open.take()
    expect(text(bytes)).toBe(`${'x'.repeat(length)}\n`)
    expect(bytes.buffer.byteLength).toBe(length + 1)
    expect(records).toBe(1)
    expect([open.length, open.records]).toEqual([0, 0])
  })

  it('stays as it was while the next one is written', () => {
    const open = new OpenBatch()
    open.append('{"message":"ä"}')
    open.append('{"message":"b"}')
    const first = open.take()
    const bytes = open.append('{"message":"other"}')
    expect(text(first.bytes)).toBe('{"message":"ä"}\n{"message":"b"}\n')
    open.append('{"message":"taken back"}')
    open.takeBack(Buffer.byteLength('{"message":"taken back"}\n'))
    expect(text(open.take().bytes)).toBe('{"message":"other"}\n')
    expect(bytes).toBe(Buffer.byteLength('{"message":"other"}\n'))
  })
})
