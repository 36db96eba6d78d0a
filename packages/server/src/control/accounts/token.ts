/** Tokens of sessions and of links are long and random, so a plain hash is enough to keep them. */
import { createHash, randomBytes } from 'node:crypto'
import { LINK_HOURS } from '@tidemark/wire/limits'

export const LINK_MS = LINK_HOURS * 3_600_000
const LINK_TOKEN_BYTES = 24

export function newToken(bytes = LINK_TOKEN_BYTES): string {
  return randomBytes(bytes).toString('base64url')
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
