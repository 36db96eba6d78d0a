import { createHash, randomBytes } from 'node:crypto'
import type { Control } from '../control/open.ts'

const LIFETIME_MS = 72 * 3_600_000
/** Where the hash of the current link stands in the settings of the instance. */
const SETTING = 'owner_link'

/**
 * A fresh link for the first person, made at every start until there is an owner; an older link stops working. The token
 * stands behind `#`, so it never reaches a server's log; only its hash is kept.
 */
export async function createOwnerLink(
  control: Control,
  { publicUrl, nowMs }: { publicUrl: string; nowMs: number },
): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const tokenSha256 = createHash('sha256').update(token).digest('hex')
  const link = JSON.stringify({ tokenSha256, expiresAtMs: nowMs + LIFETIME_MS })
  // Another node may start at the same moment: the last one to write wins, and only its link works.
  while (!(await control.settings.compareAndSet(SETTING, await control.settings.get(SETTING), link, nowMs)));
  return `${publicUrl}/welcome#${token}`
}
