import type { InstanceRole } from '@tidemark/wire/people/role'
import { DAY_MS } from '@tidemark/wire/time/units'

export type Person = {
  id: string
  email: string
  name: string
  role: InstanceRole
  /** False for an owner who signed in with the printed link and has not chosen one yet. */
  hasPassword: boolean
  createdAt: string
}

/** How somebody got in. The printed link proves that the machine is theirs. */
export type SessionOrigin = 'password' | 'owner_link' | 'invitation' | 'password_reset'

/** The longest a session can live, however much it is used. */
export const SESSION_MAX_MS = 30 * DAY_MS

/** Of the random token that a session is known by; written in base64url. */
export const SESSION_TOKEN_BYTES = 32

export type Session = { person: Person; origin: SessionOrigin }
