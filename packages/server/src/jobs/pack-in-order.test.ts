import { expect, it } from 'vitest'
import { packInOrder } from './pack-in-order.ts'

it('keeps the order, puts together what fits, and leaves by itself what is too large', () => {
  const packed = packInOrder([4, 6, 1, 0, 12, 0, 3], (size) => size, 10)
  expect(packed).toEqual([[4, 6], [1, 0], [12], [0, 3]])
  expect(packInOrder([], Number, 10)).toEqual([])
})
