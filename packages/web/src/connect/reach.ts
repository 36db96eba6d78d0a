import { isLoopbackHost } from '@tidemark/wire/local-address'

/** Said where an address is to be used elsewhere, and only this computer can reach it. `who`: what would have to. */
export function reachWarning(address: string, who = 'A job that runs elsewhere'): string | undefined {
  if (!isLoopbackHost(new URL(address).hostname)) return undefined
  return `${who} cannot reach ${address}. Set TIDEMARK_PUBLIC_URL to the address that others reach this service at.`
}
