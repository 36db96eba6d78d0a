type Headers = Record<string, string | string[] | undefined>

/**
 * The key from `Authorization: Bearer`, `X-Api-Key`, the password of `Authorization: Basic`, or where other senders put
 * theirs: Datadog's `DD-API-KEY`, and Elasticsearch's `Authorization: ApiKey`, plain or as base64 of `id:key`.
 */
export function keyOfHeaders(headers: Headers): string | undefined {
  const apiKey = headers['x-api-key'] ?? headers['dd-api-key']
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey.trim()
  const [, scheme = '', value = ''] =
    /^(\S+)\s+(\S+)\s*$/.exec(typeof headers.authorization === 'string' ? headers.authorization : '') ?? []
  const isApiKey = scheme.toLowerCase() === 'apikey'
  if (scheme.toLowerCase() === 'bearer' || (isApiKey && value.includes('_'))) return value
  if (scheme.toLowerCase() !== 'basic' && !isApiKey) return undefined
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return password.join(':') || undefined
}
