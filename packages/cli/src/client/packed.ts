import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify<Uint8Array, object, Buffer>(gzip)

/** The service refuses what inflates a hundredfold; highly repetitive text is sent uncompressed. */
const MAX_RATIO = 50

/** A body as it is sent, and the header that says how. */
export async function packed(text: string) {
  const plain = Buffer.from(text)
  const small = await compress(plain, { level: 1 })
  const isWorthIt = small.length * MAX_RATIO > plain.length
  return {
    body: new Uint8Array(isWorthIt ? small : plain),
    headers: isWorthIt ? { 'Content-Encoding': 'gzip' } : {},
  }
}
