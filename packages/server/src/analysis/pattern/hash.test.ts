import { expect, test } from 'vitest'
import { addText, finish, hashText, newLanes, toBigInt } from './hash.ts'

test('a text has the same hash for ever', () => {
  expect(toBigInt(hashText('')).toString(16)).toMatchInlineSnapshot(`"d50363c11ec82572"`)
  expect(toBigInt(hashText('tidemark')).toString(16)).toMatchInlineSnapshot(`"998f7f7f689124e4"`)
  expect(toBigInt(hashText('größe 日本 🌊')).toString(16)).toMatchInlineSnapshot(`"6b203c0ebb50696a"`)
})

test('both halves are unsigned 32-bit integers', () => {
  for (let i = 0; i < 1000; i++) {
    const { hi, lo } = hashText(`text ${i}`)
    for (const half of [hi, lo]) expect(Number.isInteger(half) && half >= 0 && half < 2 ** 32).toBe(true)
  }
})

test('the halves are independent: a quarter million short texts collide in neither more often than chance allows', () => {
  const count = 262_144
  const whole = new BigUint64Array(count)
  const his = new Uint32Array(count)
  const los = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const hash = hashText(i.toString(36))
    whole[i] = toBigInt(hash)
    his[i] = hash.hi
    los[i] = hash.lo
  }
  expect(countRepeated(whole)).toBe(0)
  // About eight pairs are expected among 2^18 random 32-bit numbers.
  expect(countRepeated(his)).toBeLessThan(40)
  expect(countRepeated(los)).toBeLessThan(40)
})

/** By sorting, which is many times quicker than a Set of this size. */
function countRepeated(values: Uint32Array | BigUint64Array): number {
  const sorted = values.sort()
  let repeated = 0
  for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) repeated++
  return repeated
}

test('every bit of the hash is set for about half of the texts', () => {
  const ones = new Array<number>(64).fill(0)
  for (let i = 0; i < 4096; i++) {
    const bits = toBigInt(hashText(`k${i}`))
    for (let bit = 0; bit < 64; bit++) ones[bit]! += Number((bits >> BigInt(bit)) & 1n)
  }
  for (const count of ones) expect(Math.abs(count - 2048)).toBeLessThan(200)
})

test('where one text ends and the next begins is part of the hash', () => {
  const hashOf = (...texts: string[]) => {
    const lanes = newLanes()
    for (const text of texts) addText(lanes, text)
    return finish(lanes.a, lanes.b)
  }
  expect(hashOf('ab', 'c')).not.toEqual(hashOf('a', 'bc'))
  expect(hashOf('a', 'b')).not.toEqual(hashOf('b', 'a'))
  expect(hashOf('a')).not.toEqual(hashOf('a', ''))
})
