/** Whether a key is still valid: of one that was found, and as a condition of a query. At its end it no longer is. */
import type { ExpressionBuilder } from 'kysely'
import type { ControlSchema } from '../database/schema.ts'

type KeyTimes = Pick<ControlSchema['api_keys'], 'revoked_at' | 'expires_at'>

/** It matters that it was revoked, never when: the clocks of two nodes may differ. */
export function endOfKey({ revoked_at, expires_at }: KeyTimes, nowMs: number): 'revoked' | 'expired' | null {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= nowMs ? 'expired' : null
}

/** The same in SQL. */
export function holdsAt(nowMs: number) {
  return (eb: ExpressionBuilder<ControlSchema, 'api_keys'>) =>
    eb.and([eb('revoked_at', 'is', null), eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)])])
}
