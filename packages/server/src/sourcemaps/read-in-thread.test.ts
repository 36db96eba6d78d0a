import type { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { MAX_SOURCE_MAP_BYTES } from '@tidemark/wire/limits'
import { describe, expect, it } from 'vitest'
import { MapUploadSlots } from './map-upload-slots.ts'
import { readInThread } from './read-in-thread.ts'
import { mapBytes } from './testing/written-map.ts'

const read = (body: Uint8Array, contentEncoding = '', limits = {}) => readInThread({ body, contentEncoding }, limits)

describe('a map that is read in its own thread', () => {
  it('has the same digest compressed or not, and another when its bytes differ', async () => {
    const bytes = mapBytes({ mappings: 'AAAA' })
    const [plain, zipped, other] = await Promise.all([
      read(bytes),
      read(gzipSync(bytes), 'gzip'),
      read(Buffer.concat([bytes, Buffer.from(' ')])),
    ])
    expect(zipped).toEqual(plain)
    expect(other.digest).not.toBe(plain.digest)
    expect(plain.content).toMatchObject({ sources: 1, mappings: 1 })
  })

  it('is refused in words when it is too large, a bomb, or no map', async () => {
    const large = Buffer.alloc(MAX_SOURCE_MAP_BYTES + 1, 32)
    const tooLarge = { code: 'body_too_large', message: expect.stringMatching(/at most 16 MiB.*sourcesContent/) }
    await expect(read(large)).rejects.toMatchObject(tooLarge)
    await expect(read(gzipSync(large), 'gzip')).rejects.toMatchObject(tooLarge)
    await expect(read(Buffer.from('x'), 'gzip')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(read(Buffer.from('x'), 'zstd')).rejects.toMatchObject({ code: 'unsupported_media_type' })
    await expect(read(Buffer.from('{}'))).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('takes neither more memory than it may have nor the service down with it', async () => {
    // Within all bounds of its JSON, and of the least memory.
    const hostile = mapBytes({ mappings: 'AAAA', x: Array.from({ length: 200_000 }, () => ({ a: [] })) })
    await expect(read(hostile, '', { heapMb: 4 })).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringContaining('Split the bundle'),
    })
  })

  it('takes no longer than it may', async () => {
    await expect(read(mapBytes({ mappings: 'AAAA' }), '', { maxMs: 0 })).rejects.toMatchObject({
      code: 'body_too_large',
    })
  })

  it('has ended its thread when it is refused, so that the next one is not beside it', async () => {
    let ended = 0
    const watch = (worker: Worker) => worker.once('exit', () => ended++)
    process.on('worker', watch)
    try {
      await expect(read(mapBytes({ mappings: 'AAAA' }), '', { maxMs: 0 })).rejects.toMatchObject({
        message: expect.stringContaining('longer than 0 ms'),
      })
      expect(ended).toBe(1)
    } finally {
      process.off('worker', watch)
    }
  })
})

describe('uploads at once', () => {
  it('are a few of a key and some of all, and give their place back once', () => {
    const slots = new MapUploadSlots()
    const first = slots.take('a')
    slots.take('a')
    expect(() => slots.take('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }))
    for (const key of ['b', 'b', 'c', 'c']) slots.take(key)
    expect(() => slots.take('d')).toThrow(expect.objectContaining({ code: 'unavailable' }))
    first()
    first()
    slots.take('d')
    expect(() => slots.take('e')).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })
})
