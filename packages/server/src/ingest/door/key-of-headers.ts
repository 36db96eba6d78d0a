type Headers = Record<string, string | string[] | undefined>

/** The key from `Authorization: Bearer`, `X-Api-Key`, or the password of `Authorization: Basic`. Never from the address. */
export function keyOfHeaders(headers: Headers): string | undefined {
  const apiKey = headers['x-api-key']
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey.trim()
  const [, scheme = '', value = ''] =
    /^(\S+)\s+(\S+)\s*$/.exec(typeof headers.authorization === 'string' ? headers.authorization : '') ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return undefined
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return password.join(':') || undefined
}
