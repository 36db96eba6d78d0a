/**
 * 64-bit hashes of text as two 32-bit halves: BigInt costs more than the whole hash, and a UInt64 column takes the
 * halves as they are. Not for secrets. Stored ids depend on every constant here, so none may ever change.
 */
export type Hash64 = { hi: number; lo: number }

export const SEED_A = 0x243f6a88 | 0
export const SEED_B = 0x85a308d3 | 0
export const PRIME_A = 0x01000193
export const PRIME_B = 0x9e3779b1 | 0

/** Mixes one 32-bit word into a lane so that order matters and every bit reaches the high ones. */
export function mix(lane: number, word: number): number {
  const h = Math.imul(word ^ (word >>> 15), 0x85ebca6b)
  const turned = (lane << 13) | (lane >>> 19)
  return (Math.imul(turned ^ h ^ (h >>> 13), 5) + 0xe6546b64) | 0
}

export function finish(a: number, b: number): Hash64 {
  const lo = avalanche(a ^ Math.imul(b, 0x27d4eb2f))
  const hi = avalanche(b ^ Math.imul(lo, 0x165667b1))
  return { hi: hi >>> 0, lo: lo >>> 0 }
}

/** A hash under way. Each text is one word of it, so `ab` + `c` and `a` + `bc` differ. */
type Lanes = { a: number; b: number }

export function newLanes(): Lanes {
  return { a: SEED_A, b: SEED_B }
}

export function addText(lanes: Lanes, text: string): void {
  let a = SEED_A
  let b = SEED_B
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, PRIME_A)
    b = Math.imul(b ^ unit, PRIME_B)
  }
  lanes.a = mix(lanes.a, a)
  lanes.b = mix(lanes.b, b)
}

export function addHash(lanes: Lanes, hash: Hash64): void {
  lanes.a = mix(lanes.a, hash.hi)
  lanes.b = mix(lanes.b, hash.lo)
}

export function hashText(text: string): Hash64 {
  const lanes = newLanes()
  addText(lanes, text)
  return finish(lanes.a, lanes.b)
}

export function toBigInt(hash: Hash64): bigint {
  return (BigInt(hash.hi) << 32n) | BigInt(hash.lo)
}

/** 16 hexadecimal digits, as a query asks for it. */
export function toHex(hash: Hash64): string {
  return toBigInt(hash).toString(16).padStart(16, '0')
}

function avalanche(lane: number): number {
  let h = lane
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
