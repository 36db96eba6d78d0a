/** Assembles OAuth for the service. Off unless all that takes part has a public https address. */
import type { Config } from './config/config.ts'
import type { Control } from './control/open.ts'
import { createAddressGuard } from './outbound/address-guard.ts'
import { createFetchDocument } from './outbound/fetch-document.ts'
import { TokenBuckets } from './token-buckets.ts'
import { SCOPE } from './verbs/oauth/oauth-parts.ts'
import { openOAuth } from './verbs/open-oauth.ts'

/** Undefined where there is no https: codes and keys must not travel in the clear, and clients refuse it anyway. */
export function startOAuth({ http }: Config, control: Control) {
  const { publicUrl: issuer, mcpUrl } = http
  if (!issuer.startsWith('https:') || !mcpUrl.startsWith('https:')) return undefined
  const resource = `${mcpUrl}/mcp`
  const fetchDocument = createFetchDocument({ checkHost: createAddressGuard({ allowPrivate: false }) })
  const verbs = openOAuth({ control, now: Date.now, issuer, resource, fetchDocument, rates: new TokenBuckets() })
  return { verbs, addresses: { issuer, resource, scope: SCOPE } }
}
