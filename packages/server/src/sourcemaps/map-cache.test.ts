import { describe, expect, it } from 'vitest'
import { unpackMap } from './compact-map.ts'
import { MapCache } from './map-cache.ts'
import { readMap } from './read-map.ts'
import { mapBytes } from './testing/written-map.ts'

const map = () => unpackMap(readMap(mapBytes({ mappings: 'AAAA' })).packed.buffer as ArrayBuffer)
const wanted = (projectId: string, digest: string, bytes = 10) => ({ projectId, digest, bytes })

describe('maps in memory', () => {
  it('are loaded once for all who wait, and once while they stay', async () => {
    const cache = new MapCache({ bytes: 100, bytesOfProject: 100 })
    let loads = 0
    const load = async () => {
      loads++
      return map()
    }
    const found = await Promise.all(Array.from({ length: 20 }, () => cache.find(wanted('a', '1'), load)))
    await cache.find(wanted('a', '1'), load)
    expect(loads).toBe(1)
    expect(new Set(found).size).toBe(1)
    expect(cache.bytes).toBe(10)
  })

  it('are counted no longer when a load fails or finds nothing, and are asked for again', async () => {
    const cache = new MapCache({ bytes: 100, bytesOfProject: 100 })
    const fails = () => Promise.reject(new Error('away'))
    const both = [cache.find(wanted('a', '1'), fails), cache.find(wanted('a', '1'), fails)]
    for (const one of both) await expect(one).rejects.toThrow('away')
    expect(await cache.find(wanted('a', '1'), async () => null)).toBeNull()
    expect([cache.bytes, cache.bytesOf('a')]).toEqual([0, 0])
    expect(await cache.find(wanted('a', '1'), async () => map())).not.toBeNull()
    expect(cache.bytes).toBe(10)
  })

  it('go when there is no room, the one that was used least recently first', async () => {
    const cache = new MapCache({ bytes: 30, bytesOfProject: 30 })
    const loaded: string[] = []
    const find = (digest: string) =>
      cache.find(wanted('a', digest), async () => {
        loaded.push(digest)
        return map()
      })
    for (const digest of ['1', '2', '3', '1', '4', '1', '2']) await find(digest)
    expect(loaded).toEqual(['1', '2', '3', '4', '2'])
    expect(cache.bytes).toBe(30)
  })

  it('of one project never push out those of another while it has more than its share', async () => {
    const cache = new MapCache({ bytes: 100, bytesOfProject: 50 })
    let reloaded = 0
    const own = () =>
      cache.find(wanted('b', 'own'), async () => {
        reloaded++
        return map()
      })
    await own()
    for (let at = 0; at < 200; at++) await cache.find(wanted('a', String(at)), async () => map())
    await own()
    expect(reloaded).toBe(1)
    expect(cache.bytesOf('a')).toBe(50)
    expect(cache.bytes).toBe(60)
  })

  it('are counted once, however loads and removals overlap', async () => {
    const cache = new MapCache({ bytes: 20, bytesOfProject: 20 })
    const waiting: (() => void)[] = []
    const slow = (digest: string) =>
      cache.find(wanted('a', digest), () => new Promise((resolve) => waiting.push(() => resolve(map()))))
    const all = ['1', '2', '3', '4'].map(slow)
    expect(cache.bytes).toBe(40)
    for (const finish of waiting) finish()
    await Promise.all(all)
    for (const digest of ['5', '6']) await cache.find(wanted('a', digest), async () => map())
    expect(cache.bytes).toBe(20)
  })
})
