import { expect, it } from 'vitest'
import { freeBytes, MIN_FREED_BYTES } from './free-bytes.ts'

it('frees the memory of pieces that have it to themselves', () => {
  const pieces = [new Uint8Array(MIN_FREED_BYTES), Buffer.allocUnsafeSlow(5 * MIN_FREED_BYTES)]
  const view = new Uint8Array(pieces[0]!.buffer, 8, 8)
  const before = process.memoryUsage().arrayBuffers
  freeBytes(pieces)
  expect(pieces.map(({ length }) => length)).toEqual([0, 0])
  expect(view.length).toBe(0)
  expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before - 6 * MIN_FREED_BYTES)
})

it('leaves small pieces, and those that share their memory', () => {
  const shared = Buffer.alloc(2 * MIN_FREED_BYTES, 7)
  const pieces = [new Uint8Array(MIN_FREED_BYTES - 1), shared.subarray(0, MIN_FREED_BYTES), Buffer.from('pooled')]
  freeBytes(pieces)
  freeBytes([])
  expect(pieces.map(({ length }) => length)).toEqual([MIN_FREED_BYTES - 1, MIN_FREED_BYTES, 6])
  expect(shared.every((byte) => byte === 7)).toBe(true)
})
