/**
 * Passwords are kept as scrypt hashes that carry their own cost, so that it can be raised later. Hashing runs on Node's
 * thread pool, which file writes need too; so only a few run at a time, with a bounded queue.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../errors.ts'

/** 32 MiB and about 0.2 to 0.8 s on one core. */
const COST = { log2N: 15, r: 8, p: 3 }
const MAX_MEMORY_BYTES = 64 * 1024 * 1024
const HASH_BYTES = 32
const SALT_BYTES = 16
const MAX_AT_ONCE = 2
/** At the limit: 429, because only a flood of sign-ins gets there. */
const MAX_WAITING = 50

type Cost = typeof COST

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.log2N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long without a hash as with one, so that timing does not reveal who has an account. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, log2N, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$')
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== null
}

const NOBODY = ['scrypt', COST.log2N, COST.r, COST.p, 'A'.repeat(22), 'A'.repeat(43)].join('$')

let running = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  await enter()
  try {
    return await new Promise((resolve, reject) => {
      // One form for each text: two keyboards may encode the same letters differently.
      const text = password.normalize('NFKC')
      const options = { N: 2 ** log2N, r, p, maxmem: MAX_MEMORY_BYTES }
      scrypt(text, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)))
    })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

async function enter(): Promise<void> {
  if (running < MAX_AT_ONCE) {
    running += 1
    return
  }
  if (waiting.length >= MAX_WAITING) {
    throw new AppError('rate_limited', 'Too many people sign in at this moment: try again in a few seconds.', {
      retryAfterSeconds: 5,
    })
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}
