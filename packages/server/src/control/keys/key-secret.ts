/**
 * A secret is `tidemark_<kind>_`, 30 random base62 characters (178 bits) and 6 base62 characters of CRC32 over all
 * before. The checksum rejects typos and made-up keys without asking the database, and lets secret scanners be sure.
 * It protects nothing. The secret is long and random, so it is enough to store a plain hash.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyKind } from '../../model/key.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 30
const CHECKSUM_CHARACTERS = 6
const SECRET = /^tidemark_(?:read|ingest)_[0-9A-Za-z]{36}$/

export function newSecret(kind: KeyKind): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]).join('')
  const body = `tidemark_${kind}_${random}`
  return body + checksum(body)
}

export function isWellFormedSecret(text: string): boolean {
  return SECRET.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
}

export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    text = BASE62.charAt(rest % BASE62.length) + text
    rest = Math.floor(rest / BASE62.length)
  }
  return text
}
