/** Where the service is unless somebody says otherwise. */
export const DEFAULT_PORT = 4700
export const LOCAL_URL = `http://localhost:${DEFAULT_PORT}`

/**
 * The address of the service in what somebody set as `TIDEMARK_URL`, or null when it is none. Some set the address that
 * records are sent to, with or without more behind it. The SDK has a copy.
 */
export function serviceUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1\/logs$/, '')
}
