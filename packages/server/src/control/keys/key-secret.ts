/**
 * A secret is the prefix of its kind, 30 random base62 characters (178 bits) and 6 base62 characters of CRC32 over all
 * before. The checksum rejects typos and made-up keys without asking the database, and lets secret scanners be sure.
 * It protects nothing. The secret is long and random, so it is enough to store a plain hash.
 */
import { createHash, createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type KeyKind, keyPrefix } from '@tidemark/wire/people/key-kind'
import { ANY_KEY_PREFIX, KEY_ALPHABET, KEY_CHARACTERS } from '../../model/key.ts'

const CHECKSUM_CHARACTERS = 6
const RANDOM_CHARACTERS = KEY_CHARACTERS - CHECKSUM_CHARACTERS
const SECRET = new RegExp(`^${ANY_KEY_PREFIX}[${KEY_ALPHABET}]{${KEY_CHARACTERS}}$`)

export function newSecret(kind: KeyKind): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => KEY_ALPHABET[randomInt(KEY_ALPHABET.length)]).join('')
  const body = keyPrefix(kind) + random
  return body + checksum(body)
}

/**
 * A secret that can be made again, for kinds that sign: who checks a signature needs the secret itself, which is stored
 * nowhere. Nobody without the key of the service can make it from the id.
 */
export function derivedSecret(kind: KeyKind, serviceKey: string, id: string): string {
  let rest = BigInt(`0x${createHmac('sha512', serviceKey).update(`${kind} ${id}`).digest('hex')}`)
  let random = ''
  // The number has several hundred bits more than are taken of it, so every character is as likely as any other.
  for (let place = 0; place < RANDOM_CHARACTERS; place += 1) {
    random += KEY_ALPHABET[Number(rest % BigInt(KEY_ALPHABET.length))]
    rest /= BigInt(KEY_ALPHABET.length)
  }
  const body = keyPrefix(kind) + random
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
    text = KEY_ALPHABET.charAt(rest % KEY_ALPHABET.length) + text
    rest = Math.floor(rest / KEY_ALPHABET.length)
  }
  return text
}
