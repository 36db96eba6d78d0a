/** The link that makes the first person the owner. The token comes after `#`, so it never reaches a server's log. */
import { LINK_MS } from '../../control/accounts/token.ts'
import type { ControlParts } from '../access.ts'
import { endLink, findLink, storeLink } from './one-time-link.ts'

const SETTING = 'owner_link'

/**
 * A fresh link at every start until the owner has a password, so that nobody is locked out; an older link stops working.
 * Undefined once the owner can sign in without it. `isRecovery`: also for an owner who has a password, and has forgotten
 * it; only an operator may ask for that.
 */
export async function createOwnerLink(
  parts: ControlParts & { publicUrl: string },
  { isRecovery = false }: { isRecovery?: boolean } = {},
): Promise<string | undefined> {
  const { accounts } = parts.control
  const owner = await accounts.firstOwner()
  if (owner?.hasPassword && !isRecovery) {
    await endOwnerLink(parts)
    return undefined
  }
  const { token } = await storeLink(parts, SETTING, { lifetimeMs: LINK_MS })
  return `${parts.publicUrl}/welcome#${token}`
}

/** Returns whether the token is that of the current link, and ends the link. Of several calls at once, one gets true. */
export async function takeOwnerLink(parts: ControlParts, token: string): Promise<boolean> {
  return (await findLink(parts, SETTING, token))?.end() ?? false
}

export function endOwnerLink(parts: ControlParts): Promise<void> {
  return endLink(parts, SETTING)
}
