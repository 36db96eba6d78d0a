/**
 * Tokens of links that work once. Only the hash is stored, in the settings of the instance, and each setting holds one link:
 * a new link ends the one before.
 */
import { timingSafeEqual } from 'node:crypto'
import { newToken, tokenHash } from '../../control/accounts/token.ts'
import type { ControlParts } from '../access.ts'

export type StoredLink = { tokenSha256: string; expiresAtMs: number; createdBy?: string }

/** The only time the token is known. */
export async function storeLink(
  { control: { settings }, now }: ControlParts,
  setting: string,
  { lifetimeMs, ...facts }: { lifetimeMs: number; createdBy?: string },
): Promise<{ token: string; expiresAtMs: number }> {
  const [token, nowMs] = [newToken(), now()]
  const link: StoredLink = { tokenSha256: tokenHash(token), expiresAtMs: nowMs + lifetimeMs, ...facts }
  const text = JSON.stringify(link)
  // Another node may store one at the same moment: the last to write wins, and only its link works.
  while (!(await settings.compareAndSet(setting, await settings.get(setting), text, nowMs)));
  return { token, expiresAtMs: link.expiresAtMs }
}

/** Null for a token that is unknown, used, replaced or too old. `end` returns true for one of several callers. */
export async function findLink(
  { control: { settings }, now }: ControlParts,
  setting: string,
  token: string,
): Promise<{ link: StoredLink; end: () => Promise<boolean> } | null> {
  const text = await settings.get(setting)
  if (text === null) return null
  const link = JSON.parse(text) as StoredLink
  const isSame = timingSafeEqual(Buffer.from(link.tokenSha256), Buffer.from(tokenHash(token)))
  if (!isSame || link.expiresAtMs <= now()) return null
  return { link, end: () => settings.compareAndSet(setting, text, null, now()) }
}

export async function endLink({ control: { settings }, now }: ControlParts, setting: string): Promise<void> {
  await settings.compareAndSet(setting, await settings.get(setting), null, now())
}
