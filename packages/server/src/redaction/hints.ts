import { apart, SERVICE_HINTS } from './service-tokens.ts'

/**
 * What a text must contain for any rule to match: a rule without a hint here never runs. The hints are written once and
 * looked for in two ways: `secret-bytes.ts` builds tables of bytes from them, and they are patterns for the texts that those
 * tables suspect.
 */

/** Each begins with four atoms, which are characters or classes in brackets; the tables of bytes know those four. */
export type Hints = { of: 'services' | 'tokens' | 'names'; anyCase: boolean; hints: readonly string[] }

// One large alternation makes the engine look at every character for every branch; a few small ones, whose branches have
// the same length, let it skip ahead and cost a tenth.
export const HINTS: readonly Hints[] = [
  { of: 'services', anyCase: false, hints: SERVICE_HINTS },
  {
    of: 'names',
    anyCase: true,
    hints: [
      'swor',
      'sswd',
      'sphr',
      'sscode',
      'cret',
      'toke',
      `pwd["'\\\\ \t=:%]`,
      'ooki',
      `ass["'\\\\=:%>&]`,
      'ass[ \t][ \t]{0,3}[=:%]',
      ...[
        'ass]',
        'pwd]',
        `pw["'\\\\=:%][ -~]`,
        'n[_-]id',
        `[ns]id["'\\\\=:%]`,
        `uth["'\\\\]["'\\\\]{0,7} {0,4}:`,
        `["']session["'\\\\]{1,8} {0,4}:`,
      ],
    ],
  },
  {
    of: 'names',
    anyCase: true,
    hints: [
      ...['hori', 'eare', 'basi', 'dent', '[sethgnir-]key', '[sethgni][_. ]key', 'r_key', 'sig=', 'ure=', 'curl'],
      ...[
        'docker login.{0,260}-p',
        'mysql.{0,260}-p',
        'riadb.{0,260}-p',
        'shpass',
        'dis-cli',
        'ssn[ \t>&\\\\%]',
        'cv[vc][ \t>&\\\\%]',
      ],
    ],
  },
  {
    of: 'tokens',
    anyCase: false,
    hints:
      'AKIA ASIA ABIA ACCA AIza 1//0 1[\\\\][/\\\\][\\\\/] eyJ[A-Za-z0-9_-] ya29 GOCS SG[.][A-Za-z0-9_-] -BEG DBEG dBEG LS0t IQoJ F[wQ]oG te-L'.split(
        ' ',
      ),
  },
  {
    of: 'tokens',
    anyCase: false,
    hints:
      'gh[pousr]_ _pat gl[a-z][a-z][a-z]{0,3}- xox[a-eoprs] xapp xwfp npm_ pypi k_li k_te sk-[A-Za-z0-9_-] hsec ark_ s[.]sl'.split(
        ' ',
      ),
  },
]

/**
 * Without four atoms: among bytes one of `TELLING_BYTES` stands for the first, the number of digits for the second. `%` also
 * stands for every hint inside percent-encoded text, which is decoded before its hints are looked for.
 */
export const ADDRESS_HINT = /\/\\{0,7}\/[^\s"'<>]{1,768}@|%40|@(?:tcp|unix)\(|oracle:[a-z0-9]{3,4}:\S{1,300}@/
/** Forms whose first four characters differ when they are percent-encoded. The grams detect all others. */
export const ENCODED_HINT =
  /@|%(?:25)?(?:40|2[fF]%(?:25)?2[fF]0)|(?:%(?:25)?20|\+)key|ass%(?:25)?20|\d%(?:25)?20\d{4}|%25[2-7][0-9a-f]\d{4}/i
export const CARD_HINT: RegExp = new RegExp(`${apart('[2-6]', '\\w.-')}\\d{3}[ -]?\\d{4,6}[ -]?\\d{4}`)
export const TELLING_BYTES = '@%'
export const MIN_CARD_DIGITS = 12

export const GRAM_HINTS: readonly RegExp[] = HINTS.map(
  ({ anyCase, hints }) => new RegExp(hints.map((hint) => (anyCase ? inAnyCase(hint) : hint)).join('|')),
)

/** Both cases written out: the flag that ignores case would cost several times as much. */
function inAnyCase(hint: string): string {
  return hint.replace(/\[[^\]]*\]|[a-z]/g, (atom) => {
    const inside = atom.replace(/[[\]]/g, '')
    return `[${inside.replace(/[^a-z]/g, '').toUpperCase()}${inside}]`
  })
}
