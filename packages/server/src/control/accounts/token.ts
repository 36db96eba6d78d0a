/** Tokens of sessions and of links are long and random, so a plain hash is enough to keep them. */
import { createHash, randomBytes } from 'node:crypto'
import { LINK_HOURS } from '@tidemark/wire/limits'
import { HOUR_MS } from '@tidemark/wire/time/units'

export const LINK_MS = LINK_HOURS * HOUR_MS
const LINK_TOKEN_BYTES = 24

export function newToken(bytes = LINK_TOKEN_BYTES): string {
  return randomBytes(bytes).toString('base64url')
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
