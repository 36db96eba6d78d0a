/** What the verbs of OAuth work with, and how often each may be asked for. */
import { addressSubject } from '../../control/accounts/throttle.ts'
import { AppError } from '../../errors.ts'
import type { FetchDocument } from '../../outbound/fetch-document.ts'
import type { Rate, TokenBuckets } from '../../token-buckets.ts'
import type { ControlParts } from '../access.ts'

export type OAuthParts = ControlParts & {
  /** Our public address: who speaks. */
  issuer: string
  /** What the keys open, the address of MCP: nothing else is given away. */
  resource: string
  fetchDocument: FetchDocument
  rates: Pick<TokenBuckets, 'take'>
}

/** The one thing that a client can be given: reading, in one project. */
export const SCOPE = 'read'

/** Of one address, but for consents: those are counted per person. All users of a connector come from few addresses. */
const RATES = {
  register: { perSecond: 0.1, burst: 30 },
  token: { perSecond: 1, burst: 60 },
  consent: { perSecond: 0.2, burst: 20 },
} as const satisfies Record<string, Rate>

/** `who` is the address of a program or the id of a person. */
export function requireRate({ rates, now }: OAuthParts, what: keyof typeof RATES, who: string): void {
  const subject = what === 'consent' ? who : addressSubject(who)
  const waitMs = rates.take(`${what} ${subject}`, 1, RATES[what], now())
  if (waitMs === 0) return
  throw new AppError('rate_limited', 'This was asked for too often: wait, then try again.', {
    retryAfterSeconds: waitMs / 1_000,
  })
}
