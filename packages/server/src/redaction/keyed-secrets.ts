/**
 * Secrets that are recognised by what comes before them: a name such as `password`, a header, the scheme of an address.
 * The whole value is redacted, to its true end; prose about a password, and placeholders, stay.
 */
import type { RedactionRule } from './rule.ts'
import { addressPasswordEnd, blockEnd, cookieEnd, ELEMENT_BEGIN, elementEnd, quotedEnd } from './secret-end.ts'
import { isLikeToken, PASS_OWNER, POSITION_OWNER } from './secret-field.ts'
import {
  isPlain,
  isProse,
  isToken,
  isUserName,
  OPTION_WORD,
  SCHEME,
  SCHEME_AND_SECRET,
  SPICE,
  STATE,
  TOKEN_ANSWER,
} from './secret-value.ts'
import { apart } from './service-tokens.ts'

/** Also `user[password]=`, as forms name the fields of an object, but not the end of a placeholder. */
const QUOTES = `(?:["'\\\\]|\\](?<!\\[REDACTED:[a-z0-9-]{1,40}\\])|%2[27]|%5[dD]|&(?:quot|#3[49]);|\\x1b\\[[0-9;]{0,12}m){0,9}`
const GAP = `[ \\t]{0,4}`
/** Between a name and its value: `=`, `:`, `=>`, and `=` or `:` as they look inside a URL. */
const ASSIGNS = `${QUOTES}${GAP}(?:=>|[=:]|%3[DAda])${GAP}`
/** The quote before a value: as it is, inside JSON within JSON, inside a URL, or in HTML. */
const OPENING = `(?:\\\\{0,7}["']|%2[27]|&(?:quot|#3[49]);)`
/** Strings of SQL Server, PostgreSQL and Python: `N'…'`, `E'…'`, `b'…'`. */
const STRING_PREFIX = '[ebnur]?'
/** Headers also come as lists, `["Cookie","a=b"]`, and as pairs, `"name":"Cookie","value":"a=b"`. */
const HEADER_ASSIGNS = `(?:${ASSIGNS}|\\\\{0,7}["']${GAP},${GAP}(?:\\\\{0,7}["']value\\\\{0,7}["']${GAP}:${GAP})?)`
/** `PASSWORD_CONFIRMATION`, `SECRET_KEY_BASE`, `token2`: what a name may have after the word that makes it secret. */
const SUFFIX =
  '(?:[_-]?(?:confirm(?:ation)?|repeat|again|hash|value|base|prod(?:uction)?|staging|dev|test|live|primary|secondary|old|new|\\d{1,2}))?'
/** `PWD=/srv` is the directory in which a process works. */
const PASSWORD = `(?:pass(?:word|wd|phrase|code|wort)${SUFFIX}|pwd(?!(?<=(?:^|[^\\w.-]|old)pwd)["'\\\\]{0,4}${GAP}[=:]${GAP}["']?(?:[/~]|[a-z]:\\\\)))`
const TOKEN = `(?:secret|(?<!(?:${POSITION_OWNER})[_-]?)token|(?:api|access|private|secret|auth|account|client|signing|encryption|service|subscription)[_. -]?key|master[_-]?key|credentials?)${SUFFIX}`
/** Lists of variables have the value in a field of its own, `"name":"DB_PASSWORD","value":"…"`, and so have objects. */
const VALUE_ASSIGNS = `(?:${ASSIGNS}(?:\\{${GAP}\\\\{0,7}["']value\\\\{0,7}["']${GAP}:${GAP})?|\\\\{0,7}["']${GAP},?${GAP}(?:\\\\{0,7}["'])?value(?:\\\\{0,7}["'])?${GAP}[=:]${GAP})`
/** A backslash ends a value only where it escapes a line break or a quote. */
const UNQUOTED = `(?:[^\\s"'&,;\\\\<>]|\\\\\\\\|\\\\(?![nrt"'\\\\]))`
/** Digest, AWS and OAuth put several values into one header. */
const PARAMETER = `[A-Za-z_-]{1,40}=(?:\\\\{0,7}"[^"\\r\\n]{0,2048}"|[^\\s,"']{0,2048})`
const USER = `[^\\s/?#:@"'<>[]{1,256}(?=(?::[^\\s/?#@"'<>]{0,256})?@[^\\s@])`

/** What a text must contain before the rules for it are worth a look. */
const ADDRESS = /\/\/|\\\/|%2[fF]%2[fF]/
const SLASHES = '\\\\{0,7}/\\\\{0,7}/'
const OTHER_ADDRESS = /@(?:tcp|unix)\(|oracle:/
const COOKIE = /[oO][oO][kK][iI]/
const AUTHORIZATION = /[hH][oO][rR][iI]|[eE][aA][rR][eE]|[bB][aA][sS][iI]/
const PASSWORDS = new RegExp(`${PASSWORD}(?:${QUOTES}${GAP}[=:%]|\\\\{0,7}["']${GAP},?${GAP}.{0,8}value)`, 'i')
const TOKENS = new RegExp(`${TOKEN}(?:${VALUE_ASSIGNS}|\\\\{0,7}["']${GAP},)`, 'i')
const STATEMENT =
  /identified\s|password\s{0,4}(?:(?:[ebn]|u&)?\\{0,7}["'(]|is[ \t]|was[ \t])|login[ \t].{1,140}password/i
const SET_PASSWORD = /set[ \t]{1,4}password/i
const COMMAND = /mysql|mariadb|sshpass|redis-cli|docker login/
const ELEMENT = new RegExp(
  `(?:${PASSWORD}|${TOKEN}|pass|ssn|cv[vc])["'\\\\]{0,8}(?:\\s[^<>]{0,300})?(?:>|&gt;|u003e|%3e)`,
  'i',
)
const FORM = /form-data/i
/** A value of YAML in the lines below its name, whose indentation is kept. */
const BLOCK = /:[ \t]{1,4}[|>][+-]?[ \t]{0,4}(?:\r?\n|\\n)/
const BLOCK_BEGIN = `["']?${BLOCK.source}[ \\t]{1,40}`
const SESSION =
  /(?:[sS][sS][iI][oO][nN][_-]?[iI][dD]|[sS][eE][sS][sS][iI][dD])["'\\\]=:%]|(?:[uU][tT][hH]|[sS][iI][dD]|[sS][iI][oO][nN])["'\\]/
/** Names of session credentials. The short ones are common words, so they count only as names in JSON. */
const SESSION_NAMES = `(?:session[_-]?id|sessid)${ASSIGNS}`
const QUOTED_SESSION_NAMES = `(?:auth|sid|session)(?<=["'_-](?:auth|sid|session))\\\\{0,7}["']${GAP}:${GAP}`
const PASS = /[aA][sS][sS](?:["'\\\]=:%]|[ \t]{1,4}[=:%])|[pP][wW]["'\\=:%]/
/** With one dash in Go and PowerShell. */
const OPTION = '(?<![\\w-])--?(?:[a-z]{1,20}-){0,3}'
const FLAG = new RegExp(`${OPTION}(?:pass|pwd|token|secret|key)`, 'i')
/** Between an option and its value: a space, or a comma in a list of arguments, perhaps with quotes around each. */
const OPTION_GAP = `(?:[ \\t]{1,4}|,[ \\t]{1,4}|\\\\{0,7}["'](?:${GAP},)?${GAP})`
/** Also `userPass`, but not `bypass`. */
const PASS_ALONE = apart(`${PASS_OWNER}?pass`, 'A-Za-z')

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
    pattern: new RegExp(`:${SLASHES}[^\\s/?#:@"'<>[\\\\]{0,128}:`, 'g'),
    end: addressPasswordEnd,
    accepts: isPlain,
  },
  // A name alone can be a token as well. Web addresses rarely carry the name of a person, others often do.
  {
    name: 'url-credentials',
    needs: ADDRESS,
    pattern: new RegExp(`((?:https?|wss?):${SLASHES})${USER}`, 'gi'),
    accepts: (user) => isPlain(user) && user.length >= 8 && !isUserName(user),
  },
  {
    name: 'url-credentials',
    needs: ADDRESS,
    pattern: new RegExp(`(:${SLASHES})${USER}`, 'g'),
    accepts: (user) => isPlain(user) && user.length >= 16 && /\d/.test(user) && !isUserName(user),
  },
  {
    name: 'url-credentials',
    needs: ADDRESS,
    pattern: /(%3A%2F%2F(?:(?!%3A|%40|%2F)[^\s&"'<>]){0,128}%3A)(?:(?!%40|%2F|%3F|%23)[^\s&"'<>]){1,256}(?=%40)/gi,
    accepts: isPlain,
  },
  // Addresses without `//` before the user: MySQL in Go, Oracle in Java.
  {
    name: 'url-credentials',
    needs: OTHER_ADDRESS,
    pattern:
      /(?<=oracle:[a-z0-9]{3,4}:[^\s/@"']{1,128}\/)[^\s"'<>@]{1,128}(?=@)|(?<=:)[^\s"'<>]{1,128}?(?=@(?:tcp|unix)\()/g,
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
      `((?:authorization${ASSIGNS}(?:[A-Za-z][A-Za-z0-9-]{2,20}(?:%20|[ +\\t]{1,4}))?|${apart('(?:bearer|basic)', 'A-Za-z')}(?:%20|[ +\\t]{1,4})(?=[A-Za-z0-9._~+/=-]{0,200}[0-9=])))[A-Za-z0-9._~+/=%:-]{8,}`,
      'gi',
    ),
    accepts: (secret) => isPlain(secret) && !SCHEME.test(secret) && !TOKEN_ANSWER.test(secret),
  },
  // SQL: `SET PASSWORD = PASSWORD('x')`, `SET PASSWORD FOR 'bob'@'%' = 'x'`.
  {
    name: 'password',
    needs: SET_PASSWORD,
    pattern: new RegExp(
      `${SET_PASSWORD.source}(?:[ \\t]{1,4}for[ \\t]{1,4}[^\\s=]{1,160})?${GAP}=${GAP}(?:(?:old_)?password${GAP}\\(${GAP})?\\\\{0,7}["']`,
      'gi',
    ),
    end: quotedEnd,
    accepts: isPlain,
  },
  { name: 'password', needs: BLOCK, pattern: new RegExp(`${PASSWORD}${BLOCK_BEGIN}`, 'gi'), end: blockEnd },
  { name: 'token', needs: BLOCK, pattern: new RegExp(`${TOKEN}${BLOCK_BEGIN}`, 'gi'), end: blockEnd },
  {
    name: 'password',
    needs: PASSWORDS,
    pattern: new RegExp(`${PASSWORD}${VALUE_ASSIGNS}${STRING_PREFIX}${OPENING}`, 'gi'),
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
    pattern: new RegExp(`(${PASS_ALONE}=)${UNQUOTED}{6,}`, 'gi'),
    accepts: (secret) => isPlain(secret) && SPICE.test(secret) && /[A-Za-z]/.test(secret),
  },
  {
    name: 'password',
    needs: PASS,
    pattern: new RegExp(`${PASS_ALONE}${ASSIGNS}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: (secret) => isPlain(secret) && secret.length >= 6 && SPICE.test(secret),
  },
  {
    name: 'password',
    needs: PASS,
    pattern: new RegExp(
      `((?:${PASS_ALONE}${QUOTES}${GAP}:${GAP}|${apart('pw', 'A-Za-z')}${ASSIGNS})(?:${OPENING})?)${UNQUOTED}{8,}`,
      'gi',
    ),
    accepts: (secret) => isPlain(secret) && SPICE.test(secret) && /[a-z]/.test(secret) && /[^a-z0-9_.-]/.test(secret),
  },
  // A field of a form, between its headers and the next border.
  {
    name: 'password',
    needs: FORM,
    pattern: new RegExp(`(${PASSWORD}\\\\{0,7}["'](?:\\r?\\n|(?:\\\\{1,7}r)?\\\\{1,7}n){2})[^\\r\\n\\\\]{1,256}`, 'gi'),
    accepts: isPlain,
  },
  {
    name: 'token',
    needs: SESSION,
    pattern: new RegExp(
      `((?:${SESSION_NAMES}(?:${OPENING})?|${QUOTED_SESSION_NAMES}${OPENING}))[A-Za-z0-9._~+/=%-]{16,512}`,
      'gi',
    ),
    accepts: isLikeToken,
  },
  {
    name: 'token',
    needs: SESSION,
    pattern: new RegExp(`((?:${SESSION_NAMES}|${QUOTED_SESSION_NAMES})\\[)[^\\]\\r\\n]+`, 'gi'),
    accepts: (list) => list.split(/[\s"'\\,]+/).some(isLikeToken),
  },
  // On a command line a space stands between the name and the value, and sentences about the option look alike.
  {
    name: 'password',
    needs: FLAG,
    pattern: new RegExp(`${OPTION}${PASSWORD}${OPTION_GAP}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: (secret) => isPlain(secret) && secret.length >= 3 && !secret.startsWith('-'),
  },
  {
    name: 'password',
    needs: FLAG,
    pattern: new RegExp(`(${OPTION}${PASSWORD}(?:[ \\t]{1,4}|,[ \\t]{1,4}))[^\\s"'-][^\\s"',\\]]{5,}`, 'gi'),
    accepts: (secret) => isPlain(secret) && (SPICE.test(secret) || (secret.length >= 8 && !OPTION_WORD.test(secret))),
  },
  {
    name: 'password',
    pattern: /(curl\b[^\r\n]{0,200}?(?:[ \t]-u|--user|--proxy-user)[ =]{0,2}["']?[^\s:"']{1,128}:)[^\s"']+/g,
    accepts: isPlain,
  },
  // SQL: `PASSWORD 'x'`, `PASSWORD('x')`, `IDENTIFIED BY 'x'`.
  {
    name: 'password',
    needs: STATEMENT,
    pattern:
      /identified\s{1,8}(?:with\s{1,8}\S{1,60}\s{1,8})?(?:by|as)\s{1,8}(?:(?:password|values)\s{1,8})?\\{0,7}["']/gi,
    end: quotedEnd,
    accepts: isPlain,
  },
  {
    name: 'password',
    needs: STATEMENT,
    pattern:
      /((?:IDENTIFIED[ \t]+BY|(?:create|alter)[ \t]+user[ \t]+\S{1,80}[ \t]+identified[ \t]+by)[ \t]+)(?!(?:PASSWORD|VALUES|[Cc]lause)\b)[^\s"'`;,\\]{3,}/g,
    accepts: isPlain,
  },
  {
    name: 'password',
    needs: STATEMENT,
    pattern: /password\s{0,4}\(?\s{0,4}(?:[ebn]|u&)?\\{0,7}["'](?<=[\s(](?:[ebn]|u&)?\\{0,7}["'])/gi,
    end: quotedEnd,
    accepts: (secret) => isPlain(secret) && secret.length >= 3 && !/\s/.test(secret) && !STATE.test(secret),
  },
  {
    name: 'password',
    needs: STATEMENT,
    pattern:
      /((?:password[ \t]{1,4}(?:is|was)|login[ \t]{1,4}\S{1,128}[ \t]{1,4}password)[ \t:]{1,4}["'`]?)[^\s"'`,;]{6,}/gi,
    accepts: (secret) => isPlain(secret) && /\d/.test(secret) && /[A-Za-z]/.test(secret),
  },
  {
    name: 'password',
    needs: COMMAND,
    pattern:
      /((?:(?:mysql|mariadb)[a-z_-]{0,12}(?:[ \t][^\r\n|;]{0,200}?)?[ \t]-p|sshpass[ \t]{1,4}-p[ \t]{0,4}|redis-cli(?:[ \t][^\r\n|;]{0,200}?)?[ \t](?:-a|--pass)[ \t]{1,4}|docker login(?:[ \t][^\r\n|;]{0,200}?)?[ \t]-p[ \t]{1,4})["']?)[^\s"'-][^\s"']{2,}/g,
    accepts: isPlain,
  },
  // A variable in YAML, whose value is on the next line.
  {
    name: 'field',
    needs: /value:[ \t]/,
    pattern: new RegExp(
      `(name:[ \\t]{1,4}["']?[A-Za-z0-9_.-]{0,60}(?:${PASSWORD}|${TOKEN})["']?[ \\t]{0,4}(?:\\r?\\n|\\\\n)[ \\t]{1,40}value:[ \\t]{1,4}["']?)(?:(?<=")[^"\\r\\n]+|(?<=')[^'\\r\\n]+|[^\\s"'#\\\\]+)`,
      'gi',
    ),
    accepts: (secret) => isPlain(secret) && !/^\d{1,6}$/.test(secret),
  },
  {
    name: 'field',
    needs: ELEMENT,
    pattern: new RegExp(ELEMENT_BEGIN, 'g'),
    end: elementEnd,
    accepts: (text) => isPlain(text.trim()) && !isProse(text.trim()),
  },
  {
    name: 'token',
    needs: TOKENS,
    pattern: new RegExp(`${TOKEN}${VALUE_ASSIGNS}${OPENING}`, 'gi'),
    end: quotedEnd,
    accepts: (secret) => secret.length >= 8 && isToken(secret.replaceAll('\\', '')) && !isProse(secret),
  },
  // Headers as a list of names and values, as Node has them.
  {
    name: 'token',
    needs: TOKENS,
    pattern: new RegExp(`["'][\\w-]{0,40}${TOKEN}\\\\{0,7}["']${GAP},${GAP}\\\\{0,7}["']`, 'gi'),
    end: quotedEnd,
    accepts: (secret) => secret.length >= 8 && isToken(secret) && !isProse(secret),
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
    pattern: new RegExp(
      `(${OPTION}(?:token|secret|key)${OPTION_GAP}(?:${OPENING})?)[^\\s"'\\\\-][^\\s"'\\\\]{7,}`,
      'g',
    ),
    accepts: (secret) => isToken(secret) && /\d/.test(secret),
  },
  {
    name: 'token',
    needs: FLAG,
    pattern: new RegExp(
      `(${OPTION}(?:token|secret)${OPTION_GAP}(?:${OPENING})?)[A-Za-z]{12,}(?=$|[\\s"'\\\\;|&])`,
      'g',
    ),
    accepts: (secret) => isToken(secret) && !OPTION_WORD.test(secret),
  },
  // Anyone who has the signature of an address may use it.
  {
    name: 'token',
    pattern: /([?&](?:x-[a-z]{2,10}-)?(?:sig|signature)=)[^\s&"'<>\\]{16,}/gi,
    accepts: isToken,
  },
]
