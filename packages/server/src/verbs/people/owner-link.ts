/**
 * The link that makes the first person the owner. The token comes after `#`, so it never reaches a server's log; only
 * its hash is kept, in the settings of the instance. There is one link at a time, and it works once.
 */
import { timingSafeEqual } from 'node:crypto'
import { LINK_MS, newToken, tokenHash } from '../../control/accounts/token.ts'
import type { ControlParts } from '../access.ts'

const SETTING = 'owner_link'

type StoredLink = { tokenSha256: string; expiresAtMs: number }

/**
 * A fresh link at every start until the owner has a password, so that nobody is locked out; an older link stops working.
 * Undefined once the owner can sign in without it. `isRecovery`: also for an owner who has a password, and has forgotten
 * it; only an operator may ask for that.
 */
export async function createOwnerLink(
  parts: ControlParts & { publicUrl: string },
  { isRecovery = false }: { isRecovery?: boolean } = {},
): Promise<string | undefined> {
  const { accounts, settings } = parts.control
  const owner = await accounts.firstOwner()
  if (owner?.hasPassword && !isRecovery) {
    await endOwnerLink(parts)
    return undefined
  }
  const token = newToken()
  const nowMs = parts.now()
  const link: StoredLink = { tokenSha256: tokenHash(token), expiresAtMs: nowMs + LINK_MS }
  // Another node may start at the same moment: the last one to write wins, and only its link works.
  const text = JSON.stringify(link)
  while (!(await settings.compareAndSet(SETTING, await settings.get(SETTING), text, nowMs)));
  return `${parts.publicUrl}/welcome#${token}`
}

/** Says whether the token is that of the current link, and ends the link. Of several calls at once, one gets true. */
export async function takeOwnerLink({ control: { settings }, now }: ControlParts, token: string): Promise<boolean> {
  const text = await settings.get(SETTING)
  if (text === null) return false
  const { tokenSha256, expiresAtMs } = JSON.parse(text) as StoredLink
  if (!timingSafeEqual(Buffer.from(tokenSha256), Buffer.from(tokenHash(token))) || expiresAtMs <= now()) return false
  return settings.compareAndSet(SETTING, text, null, now())
}

export async function endOwnerLink({ control: { settings }, now }: ControlParts): Promise<void> {
  await settings.compareAndSet(SETTING, await settings.get(SETTING), null, now())
}
