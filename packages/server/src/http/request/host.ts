const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Names that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase()
  return LOOPBACK_NAMES.has(name) || name.endsWith('.localhost') || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/** The host name of a `Host` header, lower-cased, without its port; undefined when it is not one. */
export function hostNameOf(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/.exec(header ?? '')
  return match?.[1]?.toLowerCase()
}
