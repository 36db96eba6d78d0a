/**
 * The link that makes the first person the owner. The token stands behind `#`, so it never reaches a server's log; only
 * its hash is kept, in the settings of the instance. There is one link at a time, and it works once.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Control } from '../../control/open.ts'

const LIFETIME_MS = 72 * 3_600_000
const SETTING = 'owner_link'

type StoredLink = { tokenSha256: string; expiresAtMs: number }
type LinkOptions = {
  publicUrl: string
  nowMs: number
  /** Also for an owner who has a password, and has forgotten it. Only an operator may ask for that. */
  isRecovery?: boolean
}

/**
 * A fresh link at every start until the owner has a password, so that nobody is locked out; an older link stops working.
 * Undefined once the owner can sign in without it.
 */
export async function createOwnerLink(
  control: Pick<Control, 'settings' | 'accounts'>,
  { publicUrl, nowMs, isRecovery = false }: LinkOptions,
): Promise<string | undefined> {
  const owner = await control.accounts.firstOwner()
  if (owner?.hasPassword && !isRecovery) {
    await endOwnerLink(control, nowMs)
    return undefined
  }
  const token = randomBytes(24).toString('base64url')
  const link: StoredLink = { tokenSha256: sha256(token).toString('hex'), expiresAtMs: nowMs + LIFETIME_MS }
  // Another node may start at the same moment: the last one to write wins, and only its link works.
  const text = JSON.stringify(link)
  while (!(await control.settings.compareAndSet(SETTING, await control.settings.get(SETTING), text, nowMs)));
  return `${publicUrl}/welcome#${token}`
}

/** Says whether the token is that of the living link, and ends the link. Of several calls at once, one hears yes. */
export async function takeOwnerLink(
  { settings }: Pick<Control, 'settings'>,
  token: string,
  nowMs: number,
): Promise<boolean> {
  const text = await settings.get(SETTING)
  if (text === null) return false
  const { tokenSha256, expiresAtMs } = JSON.parse(text) as StoredLink
  if (!timingSafeEqual(Buffer.from(tokenSha256, 'hex'), sha256(token)) || expiresAtMs <= nowMs) return false
  return settings.compareAndSet(SETTING, text, null, nowMs)
}

export async function endOwnerLink({ settings }: Pick<Control, 'settings'>, nowMs: number): Promise<void> {
  await settings.compareAndSet(SETTING, await settings.get(SETTING), null, nowMs)
}

function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
