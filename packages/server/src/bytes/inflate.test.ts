import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../testing/thrown-by.ts'
import { inflate } from './inflate.ts'

const TEXT = Buffer.from('{"message":"hello"}')

describe('inflate', () => {
  it.each([
    ['', TEXT],
    ['identity', TEXT],
    ['gzip', gzipSync(TEXT)],
    [' GZIP ', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
  ])('opens Content-Encoding "%s"', (encoding, body) => {
    expect(Buffer.from(inflate(body, encoding)).toString()).toBe(TEXT.toString())
  })

  it.each(['zstd', 'gzip, gzip', 'gzip,br', 'compress', '__proto__'])(
    'refuses "%s" and names what it takes',
    (encoding) => {
      const error = thrownBy(() => inflate(TEXT, encoding))
      expect(error.status).toBe(415)
      expect(error.message).toContain('gzip, deflate, br or identity')
    },
  )

  it('stops at 20 MiB after inflation', () => {
    const zeros = Buffer.alloc(20 * 1024 * 1024 + 1)
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY } }
    for (const [encoding, body] of [
      ['gzip', gzipSync(zeros, { level: 1 })],
      ['deflate', deflateSync(zeros, { level: 1 })],
      ['br', brotliCompressSync(zeros, quick)],
    ] as const) {
      const error = thrownBy(() => inflate(body, encoding))
      expect([error.code, error.message]).toEqual(['body_too_large', expect.stringContaining('more than 20 MiB')])
    }
    expect(thrownBy(() => inflate(zeros, '')).code).toBe('body_too_large')
  })

  it('refuses a body that grows more than a hundredfold past a megabyte, and lets a small one grow', () => {
    expect(thrownBy(() => inflate(gzipSync(Buffer.alloc(2_000_000)), 'gzip')).status).toBe(413)
    expect(inflate(gzipSync(Buffer.alloc(900_000)), 'gzip')).toHaveLength(900_000)
  })

  it.each(['gzip', 'deflate', 'br'])('refuses corrupt and cut %s data', (encoding) => {
    expect(thrownBy(() => inflate(Buffer.from([1, 2, 3, 4, 5, 255, 254]), encoding)).status).toBe(400)
    expect(thrownBy(() => inflate(gzipSync(TEXT).subarray(0, 12), encoding)).status).toBe(400)
    expect(thrownBy(() => inflate(new Uint8Array(0), encoding)).status).toBe(400)
  })
})
