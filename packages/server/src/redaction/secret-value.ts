/** Judges the text where a secret is expected: it may be a placeholder, a word about the secret, or prose. */
import { entropyBits } from './secret-field.ts'

/** Below this a value reads like a word or a class name; measured on real logs from many systems. */
const MIN_TOKEN_ENTROPY_BITS = 3
/** Words have no digits. Eight characters, one of them twice, have less than three bits each. */
const MIN_MIXED_ENTROPY_BITS = 2.5

/** There is something, and it is neither a placeholder nor already redacted by an earlier rule or the sender. */
export function isPlain(secret: string): boolean {
  return secret !== '' && !NO_SECRET.test(secret)
}

const NO_SECRET =
  /^(?:[*x.•-]+|[|>][+-]?|null|nil|none|true|false|undefined|empty|missing|required|invalid|redacted|hidden|masked|filtered|(?:%2[27])?\[[^\]]*\](?:%2[27])?|<[^>]*>|\$\{[^}]*\}|%[sdv].?|(?:old_)?password\()$/i

/** Words about a password. */
export const STATE: RegExp =
  /^(?:ok|yes|no|set|unset|wrong|weak|strong|reset|changed|unchanged|updated|expired|incorrect|mismatch|unknown|failed|accepted|rejected|forgotten|optional|enabled|disabled|blank|string|text)[.!?,;]?$/i

/** A word of a language has none of these. */
export const SPICE: RegExp = /[0-9!#$%^*+=]/

/** A word that follows the name of an option in a sentence or a usage text, or something that is no word. */
export const OPTION_WORD: RegExp =
  /^(?:[^A-Za-z].*|[A-Z_]+|\w*(?:ation|ment|ly)|arguments?|options?|parameters?|conflicts|requires|required|specified|provided|supplied|together|deprecated|expected|unsupported)[\].,;:)]*$/

/** Names that are long enough for a secret, left where the values after them were redacted. */
export const SCHEME: RegExp = /^(?:aws4-[a-z0-9-]+|negotiate|signature|scram-[a-z0-9-]+)$/i

/** The field after `token_type=Bearer` in what a server answers. */
export const TOKEN_ANSWER: RegExp = /^(?:expires(?:_in|_at)?|scope|token_type)=/i

export const SCHEME_AND_SECRET: RegExp = /^[A-Za-z][A-Za-z0-9-]{2,20}[ +]{1,4}\S{8,}$/

export function isToken(secret: string): boolean {
  if (!isPlain(secret) || REFERENCE.test(secret)) return false
  const isMixed = /\d/.test(secret) && /[A-Za-z]/.test(secret)
  return entropyBits(secret) >= (isMixed ? MIN_MIXED_ENTROPY_BITS : MIN_TOKEN_ENTROPY_BITS)
}

/** An object as its class prints it, or an e-mail address. */
const REFERENCE = /^(?:[\w.$]*\{.*|[\w.$]+@[0-9a-f]{4,16}|[\w.+-]+@[\w-]+\.[\w.-]+)$/

/** Words, as people write them. */
export function isProse(text: string): boolean {
  return /^[A-Za-z][A-Za-z']*(?:[ ,.;:!?-]+[A-Za-z']+)+[.!?]?$/.test(text)
}

/** `bob`, `deploy-bot`, `j.smith84`: letters, and at most a number at the end. */
export function isUserName(user: string): boolean {
  return user.length < 20 && /^[A-Za-z]?[a-z]+(?:[._-][a-z]+)*[._-]?\d{0,4}$/.test(user)
}
