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

/** How this machine reaches a service that listens on `host`, which may be all of its addresses. */
export function localOrigin(host: string, port: number): string {
  const isAnywhere = host === '0.0.0.0' || host === '::'
  return `http://${isAnywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Names that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase()
  return LOOPBACK_NAMES.has(name) || name.endsWith('.localhost') || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}
