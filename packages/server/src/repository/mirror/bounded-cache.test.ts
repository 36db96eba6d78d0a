import { describe, expect, it } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

/** Returns a function that reads a key, and whether the value had to be made. */
function watched(cache: BoundedCache<string>) {
  return async (key: string, value = key) => {
    let isMade = false
    const read = await cache.get(key, async () => {
      isMade = true
      return value
    })
    expect(read).toBe(value)
    return isMade
  }
}

describe('a bounded cache', () => {
  it('makes a value once, also for readers at the same time', async () => {
    let made = 0
    const cache = new BoundedCache<number>(2)
    const make = async () => ++made
    expect(await Promise.all([cache.get('a', make), cache.get('a', make)])).toEqual([1, 1])
    expect(await cache.get('a', make)).toBe(1)
  })

  it('drops the least recently used value', async () => {
    const isMade = watched(new BoundedCache(2))
    for (const key of ['a', 'b', 'a', 'c']) await isMade(key)
    expect([await isMade('a'), await isMade('c'), await isMade('b')]).toEqual([false, false, true])
  })

  it('keeps as many values as fit by size, and none that is too large', async () => {
    const isMade = watched(new BoundedCache(10, ({ length }) => length))
    for (const key of ['abcd', 'efgh', 'ij']) await isMade(key)
    expect([await isMade('abcd'), await isMade('efgh'), await isMade('ij')]).toEqual([false, false, false])
    await isMade('klm')
    expect([await isMade('efgh'), await isMade('ij'), await isMade('abcd')]).toEqual([false, false, true])
    await isMade('x'.repeat(11))
    expect(await isMade('x'.repeat(11))).toBe(true)
  })

  it('forgets a failure, and its size', async () => {
    const cache = new BoundedCache<string>(2)
    const isMade = watched(cache)
    await isMade('a')
    await expect(cache.get('b', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await isMade('c')
    expect([await isMade('a'), await isMade('b')]).toEqual([false, true])
  })
})
