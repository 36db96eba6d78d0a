/**
 * Secrets that are recognised by what comes before them: a name such as `password`, a header, the scheme of an address.
 * The whole value is redacted, to its true end; prose about a password, and placeholders, stay.
 */
import type { RedactionRule } from './rule.ts'
import { cookieEnd, quotedEnd } from './secret-end.ts'

const QUOTES = `(?:["'\\\\]|%2[27]){0,9}`
const GAP = `[ \\t]{0,4}`
/** Between a name and its value: `=`, `:`, `=>`, and `=` or `:` as they look inside a URL. */
const ASSIGNS = `${QUOTES}${GAP}(?:=>|[=:]|%3[DAda])${GAP}`
/** The quote before a value: as it is, inside JSON within JSON, or inside a URL. */
const OPENING = `(?:\\\\{0,7}["']|%2[27])`
/** Headers also come as lists, `["Cookie","a=b"]`, and as pairs, `"name":"Cookie","value":"a=b"`. */
const HEADER_ASSIGNS = `(?:${ASSIGNS}|\\\\{0,7}["']${GAP},${GAP}(?:\\\\{0,7}["']value\\\\{0,7}["']${GAP}:${GAP})?)`
const PASSWORD = '(?:password|passwd|passphrase|pwd)'
const TOKEN =
  '(?:secret|token|(?:api|access|private|secret|auth|account|client|signing|encryption|service)[_. -]?key|credentials?)'
/** A backslash ends a value only where it escapes a line break or a quote. */
const UNQUOTED = `(?:[^\\s"'&,;\\\\<>]|\\\\\\\\|\\\\(?![nrt"'\\\\]))`
/** Digest, AWS and OAuth put several values into one header. */
const PARAMETER = `[A-Za-z_-]{1,40}=(?:\\\\{0,7}"[^"\\r\\n]{0,2048}"|[^\\s,"']{0,2048})`
const USER = `[^\\s/?#:@"'<>]{1,256}(?=(?::[^\\s/?#@"'<>]{0,256})?@[^\\s@])`

/** What a text must contain before the rules for it are worth a look. */
const ADDRESS = /:\/\/|%2[fF]%2[fF]/
const COOKIE = /[oO][oO][kK][iI]/
const AUTHORIZATION = /[hH][oO][rR][iI]|[eE][aA][rR][eE]|[bB][aA][sS][iI]/
const PASSWORDS = new RegExp(`${PASSWORD}${QUOTES}${GAP}[=:%]`, 'i')
const TOKENS = new RegExp(`${TOKEN}${ASSIGNS}`, 'i')
const PASS = /[aA][sS][sS](?:["'\\=:%]|[ \t]{1,4}[=:%])/
const FLAG = /--[a-z]/

export const KEYED_SECRETS: readonly RedactionRule[] = [
  {
    name: 'aws-secret-key',
    pattern: new RegExp(
      `(secret[_-]?(?:access[_-]?)?key${ASSIGNS}(?:\\\\?["'])?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])`,
      'gi',
    ),
  },
  {
    name: 'url-credentials',
    needs: ADDRESS,
    pattern: /(:\/\/[^\s/?#:@"'<>]{0,128}:)[^\s/?#"'<>]{1,256}(?=@)/g,
    accepts: isPlain,
  },
  // A name alone can be a token as well. Web addresses rarely carry the name of a person, others often do.
  {
    name: 'url-credentials',
    needs: ADDRESS,
    pattern: new RegExp(`((?:https?|wss?)://)${USER}`, 'gi'),
    accepts: (user) => isPlain(user) && user.length >= 8 && !isUserName(user),
  },
  {
    name: 'url-credentials',
    needs: ADDRESS,
    pattern: new RegExp(`(://)${USER}`, 'g'),
    accepts: (user) => isPlain(user) && user.length >= 16 && /\d/.test(user) && !isUserName(user),
  },
  {
    name: 'url-credentials',
    needs: ADDRESS,
    pattern: /(%3A%2F%2F(?:(?!%3A|%40|%2F)[^\s&"'<>]){0,128}%3A)(?:(?!%40|%2F|%3F|%23)[^\s&"'<>]){1,256}(?=%40)/gi,
    accepts: isPlain,
  },
  {
    name: 'cookie',
    needs: COOKIE,
    pattern: new RegExp(`cookie[s2]?${HEADER_ASSIGNS}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: (value) => isPlain(value) && /=|%3D/i.test(value),
  },
  {
    name: 'cookie',
    needs: COOKIE,
    pattern: new RegExp(`(cookie[s2]?${ASSIGNS}\\[)[^\\]\\r\\n]+`, 'gi'),
    accepts: (list) => isPlain(list) && /=|%3D/i.test(list),
  },
  {
    name: 'cookie',
    needs: COOKIE,
    pattern: /(?<=^|[^A-Za-z0-9]|\\[nrt])(?:set-)?cookie2?[ \t]{0,4}[:=][ \t]{0,4}(?=[^\s=;,"'\\]{1,128}=)/gi,
    end: cookieEnd,
    accepts: isPlain,
  },
  {
    name: 'authorization',
    needs: AUTHORIZATION,
    pattern: new RegExp(`authorization${HEADER_ASSIGNS}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: (value) => isPlain(value) && value.length >= 6 && (!isProse(value) || SCHEME_AND_SECRET.test(value)),
  },
  {
    name: 'authorization',
    needs: AUTHORIZATION,
    pattern: new RegExp(
      `(authorization${ASSIGNS}[A-Za-z][A-Za-z0-9-]{2,30}[ +]{1,4})${PARAMETER}(?:,[ \\t]{0,4}${PARAMETER})+`,
      'gi',
    ),
  },
  {
    name: 'authorization',
    needs: AUTHORIZATION,
    pattern: new RegExp(
      `((?:authorization${ASSIGNS}(?:[A-Za-z][A-Za-z0-9-]{2,20}(?:%20|[ +\\t]{1,4}))?|(?<![A-Za-z])(?:bearer|basic)(?:%20|[ +\\t]{1,4})(?=[A-Za-z0-9._~+/=-]{0,200}[0-9=])))[A-Za-z0-9._~+/=%:-]{8,}`,
      'gi',
    ),
    accepts: (secret) => isPlain(secret) && !SCHEME.test(secret),
  },
  {
    name: 'password',
    needs: PASSWORDS,
    pattern: new RegExp(`${PASSWORD}${ASSIGNS}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: isPlain,
  },
  {
    name: 'password',
    needs: PASSWORDS,
    pattern: new RegExp(`(${PASSWORD}${QUOTES}${GAP}(?:=>?|%3[Dd])(?!=)${GAP})${UNQUOTED}{3,}`, 'gi'),
    accepts: isPlain,
  },
  {
    name: 'password',
    needs: PASSWORDS,
    // One word after a name at the beginning of a line is a setting, unless it says how the password is.
    pattern: new RegExp(
      `((?:^|[\\r\\n])[ \\t]{0,40}(?:- )?["']?[A-Za-z0-9_.-]{0,40}${PASSWORD}["']?:[ \\t]{1,4})[^\\s"'#]\\S*(?=[ \\t]{0,8}(?:$|[\\r\\n]))`,
      'gi',
    ),
    accepts: (secret) => isPlain(secret) && !STATE.test(secret),
  },
  {
    name: 'password',
    needs: PASSWORDS,
    // After a colon in running text a word is usually prose ("bad password: must be longer").
    pattern: new RegExp(`(${PASSWORD}${QUOTES}${GAP}:${GAP})${UNQUOTED}{6,}`, 'gi'),
    accepts: (secret) => isPlain(secret) && SPICE.test(secret),
  },
  // "pass" alone is also what a test does.
  {
    name: 'password',
    needs: PASS,
    pattern: new RegExp(`((?<![A-Za-z])pass=)${UNQUOTED}{6,}`, 'gi'),
    accepts: (secret) => isPlain(secret) && SPICE.test(secret) && /[A-Za-z]/.test(secret),
  },
  {
    name: 'password',
    needs: PASS,
    pattern: new RegExp(`(?<![A-Za-z])pass${ASSIGNS}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: (secret) => isPlain(secret) && secret.length >= 6 && SPICE.test(secret),
  },
  // On a command line a space stands between the name and the value, and sentences about the option look alike.
  {
    name: 'password',
    needs: FLAG,
    pattern: new RegExp(`(--(?:[a-z]{1,20}-){0,3}${PASSWORD}[ \\t]{1,4}["']?)[^\\s"'-][^\\s"']{5,}`, 'g'),
    accepts: (secret) => isPlain(secret) && SPICE.test(secret),
  },
  {
    name: 'password',
    pattern: /(\bcurl[ \t][^\r\n]{0,200}?(?:[ \t]-u|--user|--proxy-user)[ =]{0,2}["']?[^\s:"']{1,128}:)[^\s"']+/g,
    accepts: isPlain,
  },
  {
    name: 'token',
    needs: TOKENS,
    pattern: new RegExp(`${TOKEN}${ASSIGNS}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: (secret) => secret.length >= 8 && isToken(secret.replaceAll('\\', '')) && !isProse(secret),
  },
  {
    name: 'token',
    needs: TOKENS,
    pattern: new RegExp(`(${TOKEN}${ASSIGNS})[^\\s"'&,;\\\\<>()[\\]]{8,}`, 'gi'),
    accepts: isToken,
  },
  {
    name: 'token',
    needs: FLAG,
    pattern: /(--(?:[a-z]{1,20}-){0,3}(?:token|secret|key)[ \t]{1,4}["']?)[^\s"'-][^\s"']{7,}/g,
    accepts: (secret) => isToken(secret) && /\d/.test(secret),
  },
  // Anyone who has the signature of an address may use it.
  {
    name: 'token',
    pattern: /([?&](?:x-[a-z]{2,10}-)?(?:sig|signature)=)[^\s&"'<>\\]{16,}/gi,
    accepts: isToken,
  },
]

/** Below this a value reads like a word or a class name; measured on real logs from many systems. */
const MIN_TOKEN_ENTROPY_BITS = 3
/** Words have no digits. Eight characters, one of them twice, have less than three bits each. */
const MIN_MIXED_ENTROPY_BITS = 2.5

/** There is something, and it is neither a placeholder nor already redacted by an earlier rule or the sender. */
function isPlain(secret: string): boolean {
  return secret !== '' && !NO_SECRET.test(secret)
}

const NO_SECRET =
  /^(?:[*x.•-]+|null|nil|none|true|false|undefined|empty|missing|required|invalid|redacted|hidden|masked|filtered|(?:%2[27])?\[[^\]]*\](?:%2[27])?|<[^>]*>|\$\{[^}]*\}|%[sdv].?)$/i

/** Words about a password. */
const STATE =
  /^(?:ok|yes|no|set|unset|wrong|weak|strong|reset|changed|unchanged|updated|expired|incorrect|mismatch|unknown|failed|accepted|rejected|forgotten|optional|enabled|disabled|blank)[.!?,;]?$/i

/** A word of a language has none of these. */
const SPICE = /[0-9!#$%^*+=]/

/** Names that are long enough for a secret, left where the values after them were redacted. */
const SCHEME = /^(?:aws4-[a-z0-9-]+|negotiate|signature|scram-[a-z0-9-]+)$/i

const SCHEME_AND_SECRET = /^[A-Za-z][A-Za-z0-9-]{2,20}[ +]{1,4}\S{8,}$/

function isToken(secret: string): boolean {
  if (!isPlain(secret) || REFERENCE.test(secret)) return false
  const isMixed = /\d/.test(secret) && /[A-Za-z]/.test(secret)
  return entropyBits(secret) >= (isMixed ? MIN_MIXED_ENTROPY_BITS : MIN_TOKEN_ENTROPY_BITS)
}

/** An object as its class prints it, or an e-mail address. */
const REFERENCE = /^(?:[\w.$]*\{.*|[\w.$]+@[0-9a-f]{4,16}|[\w.+-]+@[\w-]+\.[\w.-]+)$/

/** Words, as people write them. */
function isProse(text: string): boolean {
  return /^[A-Za-z][A-Za-z']*(?:[ ,.;:!?-]+[A-Za-z']+)+[.!?]?$/.test(text)
}

/** `bob`, `deploy-bot`, `j.smith84`: letters, and at most a number at the end. */
function isUserName(user: string): boolean {
  return user.length < 20 && /^[A-Za-z]?[a-z]+(?:[._-][a-z]+)*[._-]?\d{0,4}$/.test(user)
}

/** Shannon entropy per character. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
