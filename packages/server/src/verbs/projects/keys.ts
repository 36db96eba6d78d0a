/** The keys of a project, for its members. */

import { KEY_KINDS, type KeyKind } from '@tidemark/wire/people/key-kind'
import { KEY_MAKER_ROLE } from '@tidemark/wire/people/role'
import { parseDuration } from '@tidemark/wire/time/duration'
import { DAY_MS, HOUR_MS } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { ApiKey } from '../../model/key.ts'
import { type ControlParts, changeBy, notForKeys, requireManager, requireRole } from '../access.ts'
import { signingTokenOf } from '../signing-token.ts'

const DAYS_OF_A_YEAR = 365
/** A shorter one is rather a mistake: who writes `5m` may mean months. */
const LEAST_LIFETIME_MS = HOUR_MS
const MAX_LIFETIME_MS = 10 * DAYS_OF_A_YEAR * DAY_MS

/** `webhookSecretOf` makes the secret of a webhook key from its id, whenever it is needed. */
export type KeyParts = ControlParts & { webhookSecretOf: (keyId: string) => string }

/** The answer is the only time the secret is known. */
export async function createKey(
  parts: KeyParts,
  caller: Caller,
  input: { project: string; kind: string; name?: string; expiresIn?: string },
): Promise<{ key: ApiKey; secret: string; signingToken?: string }> {
  const { id: projectId } = await requireManager(parts, caller, { project: input.project, least: KEY_MAKER_ROLE })
  const kind = keyKind(input.kind)
  const change = changeBy(parts, caller)
  const expiresAtMs = input.expiresIn === undefined ? null : change.nowMs + lifetimeMs(input.expiresIn)
  const key = { projectId, kind, name: input.name ?? kind, expiresAtMs }
  if (kind !== 'webhook') return parts.control.keys.create(key, change)
  const made = await parts.control.keys.create({ ...key, secretOf: parts.webhookSecretOf }, change)
  return { ...made, signingToken: signingTokenOf(made.secret) }
}

/** Newest first, revoked ones included. */
export async function listKeys(parts: ControlParts, caller: Caller, input: { project: string }): Promise<ApiKey[]> {
  const { id } = await requireManager(parts, caller, { ...input, least: KEY_MAKER_ROLE })
  return parts.control.keys.list(id, parts.now())
}

/** Takes effect before it returns: no request that begins later is let in, on any node. */
export async function revokeKey(
  parts: ControlParts,
  caller: Caller,
  { id }: { id: string },
): Promise<{ key: ApiKey; changed: boolean }> {
  if (caller.kind === 'key' || caller.kind === 'alert') throw notForKeys()
  if (caller.kind === 'person') requireRole(caller, KEY_MAKER_ROLE)
  const within = caller.kind === 'person' ? caller.project.id : undefined
  return parts.control.keys.revoke(id, changeBy(parts, caller), within)
}

function keyKind(text: string): KeyKind {
  const kind = KEY_KINDS.find((one) => one === text)
  if (!kind)
    throw new AppError(
      'invalid_request',
      `The kind of a key must be ${KEY_KINDS.join(', ').replace(/, (?=\w+$)/, ' or ')}, not "${text}".`,
    )
  return kind
}

export function lifetimeMs(text: string): number {
  // In years, too, which no other length of time needs.
  const inDays = text.replace(/^(\d{1,2})y$/i, (_, years: string) => `${Number(years) * DAYS_OF_A_YEAR}d`)
  const ms = (parseDuration(inDays) ?? 0) / 1_000
  if (ms >= LEAST_LIFETIME_MS && ms <= MAX_LIFETIME_MS) return ms
  throw new AppError(
    'invalid_request',
    `"${text}" is not a lifetime: write 12h, 90d, 8w or 1y, at least an hour and at most 10 years.`,
  )
}
