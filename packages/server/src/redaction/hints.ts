/**
 * What a text must contain for any rule to match: a rule without a hint here never runs. The hints are written once and
 * looked for in two ways: in a text by `mayHoldSecret`, and among bytes by the tables of `secret-bytes.ts`.
 */

/** Each begins with four atoms, which are characters or classes in brackets; the tables of bytes know those four. */
type Hints = { anyCase: boolean; hints: readonly string[] }

// One large alternation makes the engine look at every character for every branch; a few small ones, whose branches have
// the same length, let it skip ahead and cost a tenth.
export const HINTS: readonly Hints[] = [
  {
    anyCase: true,
    hints: [
      'swor',
      'sswd',
      'sphr',
      'cret',
      'toke',
      `pwd["'\\\\ \t=:%]`,
      'ooki',
      `ass["'\\\\=:%]`,
      'ass[ \t][ \t]{0,3}[=:%]',
    ],
  },
  {
    anyCase: true,
    hints: ['hori', 'eare', 'basi', 'dent', '[sethgni-]key', '[sethgni][_. ]key', 'sig=', 'ure=', 'curl'],
  },
  {
    anyCase: false,
    hints: 'AKIA ASIA ABIA ACCA AIza eyJ[A-Za-z0-9_-] ya29 GOCS SG[.][A-Za-z0-9_-] -BEG'.split(' '),
  },
  {
    anyCase: false,
    hints:
      'gh[pousr]_ _pat gl[a-z][a-z][a-z]{0,3}- xox[abeoprs] xapp npm_ pypi k_li k_te sk-[A-Za-z0-9_-] hsec ark_ s[.]sl'.split(
        ' ',
      ),
  },
]

/** Without four atoms: among bytes the first is heard by one of `TELLING_BYTES`, the second by the number of digits. */
const ADDRESS = /\/\/[^\s/?#"'<>]{1,512}@|%40/
const CARD = /(?<![\w.-])[2-6]\d{3}[ -]?\d{4,6}[ -]?\d{4}/
export const TELLING_BYTES = '@%'
export const MIN_CARD_DIGITS = 12

export const HINT_PATTERNS: readonly RegExp[] = [
  ...HINTS.map(({ anyCase, hints }) => new RegExp(hints.map((hint) => (anyCase ? inAnyCase(hint) : hint)).join('|'))),
  ADDRESS,
  CARD,
]

/** Texts shorter than any secret are not checked. */
const MIN_SECRET_CHARACTERS = 8

/** False for nearly all log text, at a small cost; true means the rules have to look. */
export function mayHoldSecret(text: string): boolean {
  if (text.length < MIN_SECRET_CHARACTERS) return false
  for (const hint of HINT_PATTERNS) if (hint.test(text)) return true
  return false
}

/** Both cases written out: the flag that ignores case would cost several times as much. */
function inAnyCase(hint: string): string {
  return hint.replace(/\[[^\]]*\]|[a-z]/g, (atom) => {
    const inside = atom.replace(/[[\]]/g, '')
    return `[${inside.replace(/[^a-z]/g, '').toUpperCase()}${inside}]`
  })
}
