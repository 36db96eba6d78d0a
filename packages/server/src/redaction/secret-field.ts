/** Attribute names that promise a secret, whatever the value looks like. */

/**
 * Judges the last segment of a dotted key; `apiKey`, `API-KEY` and `api_key` are one name, and so are the `api_key#2` of a
 * record that has it twice, the `api_key.value` of an object and the `user[api_key]` of a form.
 */
export function isSecretField(name: string, ownFields: ReadonlySet<string>, builtIn: boolean): boolean {
  const key = name
    .replace(/#\d+$/, '')
    .replace(/\[([\w-]*)\]/g, '.$1')
    .replace(/(?:\.(?:value|\d{1,3}))+$/i, '')
  const dot = key.lastIndexOf('.')
  const last = normalFieldName(key.slice(dot + 1))
  if (ownFields.size > 0 && (ownFields.has(last) || ownFields.has(normalFieldName(key)))) return true
  const word = last.replace(VARIANT, '')
  if (!builtIn || PAGE_TOKEN.test(last)) return false
  return SECRET_NAMES.has(word) || SECRET_ENDING.test(word) || isCookie(key, dot)
}

/** Words that make a token a position in a list, which APIs return, or a signal inside a program. It grants nothing. */
export const POSITION_OWNER = 'page|next|continuation|sync|cancell?ation'
const PAGE_TOKEN = new RegExp(`^(?:(?:next|prev|previous)_)?(?:${POSITION_OWNER})_?token$`)

/** Returns true for the directory in which a process works, which shells keep in `PWD`. */
export function isWorkingDirectory(name: string, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^(?:(?:.*\.)?env(?:iron(?:ment)?)?\.)?(?:old)?pwd$/i.test(name) &&
    /^(?:[/~]|[A-Za-z]:\\)/.test(value)
  )
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

const SECRET_NAMES = new Set(
  (
    'password passwords passwd pwd passphrase pass_phrase passcode secret token authorization proxy_authorization cookie cookies ' +
    'set_cookie api_key api_keys apikey x_api_key access_key secret_key private_key signing_key encryption_key master_key auth_key ' +
    'account_key subscription_key app_key client_secret credential credentials bearer jwt ssn card card_number credit_card ' +
    'cvv cvc seed_phrase mnemonic recovery_code recovery_codes backup_codes ' +
    'passwort kennwort contrasena contrase\u00f1a senha mot_de_passe wachtwoord haslo'
  ).split(' '),
)

/** `SECRET_KEY_BASE`, `password_confirmation`, `token2`. */
const VARIANT =
  /(?:_(?:base|hash|value|confirm|confirmation|prod|production|staging|dev|test|live|primary|secondary|old|new))?_?\d{0,2}$/

/** `db_password`, `refresh_token`: a plural such as `prompt_tokens` is a count and stays. Some are written in one word. */
const SECRET_ENDING =
  /_(?:password|passwd|pwd|passphrase|passcode|secret|token|credentials?|ssn|cvv|cvc|(?:api|access|private|secret|signing|encryption|master|account|auth|subscription|functions)_key|apikey)$|(?:password|passwd|passphrase|clientsecret|(?:access|auth|refresh|api|session|bearer)token|(?:api|access|private|secret)key)$/

/**
 * Returns the test of a value whose name may promise a secret, such as `pass` or `sessionId`; null for any other name. Words,
 * numbers and UUIDs under these names are usual.
 */
export function secretValueTest(name: string): ((value: string) => boolean) | null {
  const last = normalFieldName(name.replace(/#\d+$/, '').replace(/^.*\./, ''))
  if (PASS_NAME.test(last)) return isLikePassword
  return SESSION_NAME.test(last) ? isLikeToken : null
}

/** Words that make `pass` a password. Alone, `pass` is also the result of a test. */
export const PASS_OWNER =
  '(?:db|pg|user|admin|root|smtp|e?mail|ftp|redis|mysql|mongo|ldap|ssh|key|store|login|auth|proxy|my)'
const PASS_NAME = new RegExp(`^(?:.*_)?(?:${PASS_OWNER}?pass|pw|pswd)\\d{0,2}$`)
const SESSION_NAME = /^(?:.*_)?(?:auth|sid|session|session_?id|jsessionid|phpsessid)$/

function isLikePassword(value: string): boolean {
  return /^\S{6,256}$/.test(value) && /[A-Za-z]/.test(value) && /[0-9!#$%^*+=@&]/.test(value)
}

/** Long and random, or a scheme with what follows it. */
export function isLikeToken(value: string): boolean {
  if (/^(?:basic|bearer|token|digest)\s\S{6}/i.test(value)) return true
  return /^(?=\S*\d)(?=\S*[A-Za-z])[\w.%~+/=:-]{16,4096}$/.test(value) && !PLAIN_ID.test(value)
}

/** Records of one session are found by its UUID; ZooKeeper counts its sessions in `0x…`. */
const PLAIN_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]+)$/i

/** Shannon entropy per character. */
export function entropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
