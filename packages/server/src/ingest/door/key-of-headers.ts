type Headers = Record<string, string | string[] | undefined>

/** The key that a request is authenticated with: the first of `keysOfHeaders`. */
export function keyOfHeaders(headers: Headers): string | undefined {
  return keysOfHeaders(headers)[0]
}

/**
 * Keys from `X-Api-Key`, Datadog's `DD-API-KEY`, `Authorization: Bearer`, the password of `Authorization: Basic`, and
 * Elasticsearch's `Authorization: ApiKey`, plain or as base64 of `id:key`. Each key is listed once.
 */
export function keysOfHeaders(headers: Headers): string[] {
  const keys = [headers['x-api-key'], headers['dd-api-key'], keyOfAuthorization(headers.authorization)]
  return [...new Set(keys.flatMap((key) => (typeof key === 'string' && key.trim() !== '' ? key.trim() : [])))]
}

function keyOfAuthorization(authorization: string | string[] | undefined): string | undefined {
  const [, scheme = '', value = ''] =
    /^(\S+)\s+(\S+)\s*$/.exec(typeof authorization === 'string' ? authorization : '') ?? []
  const isApiKey = scheme.toLowerCase() === 'apikey'
  if (scheme.toLowerCase() === 'bearer' || (isApiKey && value.includes('_'))) return value
  if (scheme.toLowerCase() !== 'basic' && !isApiKey) return undefined
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return password.join(':') || undefined
}
