/**
 * The few words that decide how their neighbours are read. Words are looked up by the hash the lexer has computed
 * anyway, in an open-addressed table, so a lookup costs no allocation. The table is part of what a stored pattern id
 * means: adding or removing a word gives some messages a new id.
 */
import { PRIME_A, SEED_A } from './hash.ts'

export const UNIT = 1
export const CALENDAR = 2
/** A name may follow. */
export const PERSON = 4
/** A key whose quoted value is prose, to be read word by word. */
export const TEXT_KEY = 8
/** A key with few values, each of which means something else. */
export const CLOSED_KEY = 16
export const CONSTANT = 32
/** Has digits and is a word all the same. */
export const KNOWN = 64
/** Introduces a person. */
export const LINK = 128
/** Appears where a name could, and is not one. */
export const ORDINARY = 256
export const TOP_DOMAIN = 512
export const FROM = 2048
export const SOURCE_FILE = 16384
/** A host without a domain. */
export const HERE = 32768

const WORDS: [number, string][] = [
  // Units that a formatter picks by the size of the number, so the same line shows "900 ms" and "1.2 seconds".
  [
    UNIT,
    'b byte bytes kb mb gb tb kib mib gib tib ns nanos us ms msec msecs millis millisecond milliseconds microsecond',
  ],
  [
    UNIT,
    'microseconds nanosecond nanoseconds s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days',
  ],
  [
    CALENDAR,
    'Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday Jan Feb Mar Apr May',
  ],
  [
    CALENDAR,
    'Jun Jul Aug Sep Sept Oct Nov Dec January February March April June July August September October November',
  ],
  [CALENDAR, 'December AM PM am pm GMT UTC CET CEST EST EDT CST CDT MST MDT PST PDT BST IST JST'],
  [PERSON, 'user username account login'],
  [TEXT_KEY, 'msg message error err reason cause desc description detail details text exception title event'],
  [
    CLOSED_KEY,
    'type kind state status level severity event action method op operation code error exception reason phase result',
  ],
  [CONSTANT, 'true false null nil none undefined'],
  [
    KNOWN,
    'utf8 utf16 md5 sha1 sha256 sha512 ipv4 ipv6 http2 http3 h2 h3 s3 k8s oauth2 x509 base64 log4j ssh2 tls1 pbkdf2',
  ],
  [
    KNOWN,
    'x86 x64 amd64 arm64 aarch64 win32 i18n l10n socks4 socks5 mp3 mp4 bzip2 sqlite3 python2 python3 p50 p95 p99',
  ],
  [LINK, 'for by as of invalid unknown unauthenticated anonymous disabled locked'],
  [FROM, 'from'],
  [HERE, 'localhost'],
  [
    SOURCE_FILE,
    'js mjs cjs ts mts jsx tsx vue py pyx java kt kts scala groovy clj go rb erb php cs fs vb rs c h cc cpp cxx hpp m mm',
  ],
  [
    SOURCE_FILE,
    'swift dart lua pl pm ex exs erl hs ml r sql sh bash ps1 json yaml yml xml toml ini conf cfg properties txt log html css',
  ],
  [
    ORDINARY,
    'a an the this that not no unknown invalid found is was has had are were be been will would can cannot could',
  ],
  [ORDINARY, 'data response request message messages connection connections input output events event'],
  [ORDINARY, 'updates update results result changes error errors failed failure success succeeded timeout expired'],
  [
    ORDINARY,
    'created deleted updated removed added logged locked disabled enabled denied rejected missing exists and or but',
  ],
  [
    ORDINARY,
    'authentication authorization registration session sessions name names id ids agent token tokens role roles group',
  ],
  [
    ORDINARY,
    'profile service input requests cancelled canceled aborted login logout password email in on at to with from by of',
  ],
  [
    TOP_DOMAIN,
    'com net org edu gov mil int arpa io dev app cloud local localdomain internal lan corp info biz xyz online',
  ],
  [
    TOP_DOMAIN,
    'site tech store ai co tv eu uk us de fr nl be ch at it es pt br ar mx ca au nz jp cn hk tw kr sg my th vn ph in',
  ],
  [
    TOP_DOMAIN,
    'pk ir tr ru ua by kz cz sk hu ro bg gr fi se no dk ee lv lt ie il ae sa za ng ke eg cl pe ve id lu si hr is',
  ],
]

const SIZE = 4096
const keys = new Int32Array(SIZE)
const flags = new Uint16Array(SIZE)

for (const [flag, words] of WORDS) {
  for (const word of words.split(' ')) {
    const forms = flag === CALENDAR ? [word] : [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]
    for (const form of new Set(forms)) add(form, flag)
  }
}

/** Flags of the word with this hash; 0 for a word that says nothing about its neighbours. */
export function flagsOf(hash: number): number {
  for (let slot = (hash ^ (hash >>> 16)) & (SIZE - 1); flags[slot] !== 0; slot = (slot + 1) & (SIZE - 1)) {
    if (keys[slot] === hash) return flags[slot]!
  }
  return 0
}

/** Looks up the characters from `start` to `end` in lower case. */
export function flagsOfLower(units: Uint16Array, start: number, end: number): number {
  let hash = SEED_A
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit + 32 : unit), PRIME_A)
  }
  return flagsOf(hash)
}

function add(word: string, flag: number): void {
  let hash = SEED_A
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), PRIME_A)
  let slot = (hash ^ (hash >>> 16)) & (SIZE - 1)
  while (flags[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (SIZE - 1)
  keys[slot] = hash
  flags[slot] = flags[slot]! | flag
}
