/**
 * The pattern of a message: its words, with `<*>` for what is surely a value by its form. Stateless, so any node gives
 * the same message the same pattern and nothing has to be learnt, shared or repaired after a crash. A value that looks
 * like an ordinary word is not recognised here: `mergePatterns` finds those when patterns are read, from all of them.
 */
import * as hash from './hash.ts'
import { lex, lexUnits } from './lexer.ts'
import { PLACEHOLDER } from './placeholder.ts'
import { applyRules } from './rules.ts'
import * as workbench from './tokens.ts'

const { finish, mix, SEED_A, SEED_B } = hash
const { endOf, GONE, gapOf, startOf, tokens, units, VALUE, WORD } = workbench
const { kind, span, a, b } = tokens

const GAP_SALT = 0x5bd1e995
const VALUE_UNIT = 0x10000

type Pattern = { id: hash.Hash64; text: string }

export function patternOf(message: string): Pattern {
  read(message, false)
  return { id: idOf(), text: textOf(message) }
}

/** The id alone, which is what ingest stores: without the text it takes a third less time. */
export function patternId(message: string): hash.Hash64 {
  read(message, false)
  return idOf()
}

/** The same for a message that stands in bytes, all of them ASCII. */
export function patternIdOfAscii(bytes: Uint8Array, start: number, end: number): hash.Hash64 {
  lexUnits(workbench.loadAscii(bytes, start, end), false)
  applyRules(false)
  return idOf()
}

/**
 * The id of a bolder reading, which takes more for values: for fingerprints, where nothing is merged afterwards and one
 * group for each user or column would hide the fault they share.
 */
export function boldPatternId(message: string): hash.Hash64 {
  read(message, true)
  return idOf()
}

function read(message: string, bold: boolean): void {
  lex(message, bold)
  applyRules(bold)
}

function idOf(): hash.Hash64 {
  let hi = SEED_A
  let lo = SEED_B
  const count = tokens.count
  for (let at = 0; at < count; at++) {
    const k = kind[at]
    if (k === GONE) continue
    const salt = gapOf(span[at]!) === 1 ? GAP_SALT : 0
    if (k === WORD) {
      hi = mix(hi, a[at]! ^ salt)
      lo = mix(lo, b[at]! ^ salt)
    } else {
      const unit = k === VALUE ? VALUE_UNIT : units[startOf(span[at]!)]!
      hi = mix(hi, unit ^ salt)
      lo = mix(lo, unit ^ salt)
    }
  }
  return finish(hi, lo)
}

function textOf(message: string): string {
  const { count, offset } = tokens
  let text = ''
  for (let at = 0; at < count; at++) {
    if (kind[at] === GONE) continue
    if (gapOf(span[at]!) === 1 && text !== '') text += ' '
    text += kind[at] === VALUE ? PLACEHOLDER : message.slice(offset + startOf(span[at]!), offset + endOf(span[at]!))
  }
  return text
}
