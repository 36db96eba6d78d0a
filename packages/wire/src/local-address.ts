/** Where the service is unless somebody says otherwise. */
export const DEFAULT_PORT = 4700
export const LOCAL_URL = `http://localhost:${DEFAULT_PORT}`

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Names that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase()
  return LOOPBACK_NAMES.has(name) || name.endsWith('.localhost') || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}
