/** Attribute names that promise a secret, whatever the value looks like. */

/**
 * Judges the last segment of a dotted key; `apiKey`, `API-KEY` and `api_key` are one name, and so is the `api_key#2` of a
 * record that has it twice.
 */
export function isSecretField(name: string, ownFields: ReadonlySet<string>, builtIn: boolean): boolean {
  const key = name.replace(/#\d+$/, '')
  const dot = key.lastIndexOf('.')
  const last = normalFieldName(key.slice(dot + 1))
  if (ownFields.size > 0 && (ownFields.has(last) || ownFields.has(normalFieldName(key)))) return true
  return builtIn && (SECRET_NAMES.has(last) || SECRET_ENDING.test(last) || isCookie(key, dot))
}

/** A parsed cookie header: each cookie has its own name. */
function isCookie(key: string, dot: number): boolean {
  return dot > 0 && COOKIES.has(normalFieldName(key.slice(key.lastIndexOf('.', dot - 1) + 1, dot)))
}

const COOKIES = new Set(['cookie', 'cookies', 'set_cookie'])

/** Lower case, with an underscore wherever a word begins. */
export function normalFieldName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s]+/g, '_')
    .toLowerCase()
}

const SECRET_NAMES = new Set([
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'secret',
  'token',
  'authorization',
  'proxy_authorization',
  'cookie',
  'cookies',
  'set_cookie',
  'api_key',
  'apikey',
  'x_api_key',
  'access_key',
  'secret_key',
  'private_key',
  'client_secret',
  'credential',
  'credentials',
  'ssn',
  'card',
  'card_number',
  'credit_card',
  'cvv',
  'cvc',
])

/** `db_password`, `refresh_token`: a plural such as `prompt_tokens` is a count and stays. */
const SECRET_ENDING = /_(?:password|passwd|secret|token|api_key|apikey|access_key|private_key|secret_key)$/
