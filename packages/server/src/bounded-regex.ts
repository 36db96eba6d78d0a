/**
 * Compiles regular expressions that users write. RE2 is linear in the text, but the factor is the size of the program, and
 * compiling `(?:…){1000}` alone takes seconds. So the size is estimated before a pattern is compiled.
 */
import { RE2JS } from 're2js'

export class RegexTooLarge extends Error {
  readonly instructions: number

  constructor(instructions: number) {
    super(`The pattern compiles to ${instructions} instructions.`)
    this.instructions = instructions
  }
}

/** The estimate may be too high for a small pattern. Compiling this many times the limit still takes only milliseconds. */
const ESTIMATE_FACTOR = 10

/** Throws `RegexTooLarge`, or what RE2JS throws for a mistake in the pattern. `flags` are those of RE2JS. */
export function compileBounded(source: string, maxInstructions: number, flags = 0): RE2JS {
  const estimated = estimatedInstructions(source)
  if (estimated > maxInstructions * ESTIMATE_FACTOR) throw new RegexTooLarge(estimated)
  const regex = RE2JS.compile(source, flags)
  if (regex.programSize() > maxInstructions) throw new RegexTooLarge(regex.programSize())
  return regex
}

/** Tokens of a pattern. Brackets inside quoted text, escapes and character classes are not operators. */
const TOKEN = new RegExp(
  [
    /\\Q.*?(?:\\E|$)/,
    /\\(?:[pPx]\{[^}]*\}|.)/,
    /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/,
    /\{(?<least>\d+)(?:,(?<most>\d*))?\}/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

const OPERATORS: ReadonlySet<string> = new Set(['|', '*', '+', '?'])

/** At least the size of the compiled program, without compiling it. Only counted repeats make a program larger than its text. */
export function estimatedInstructions(source: string): number {
  const groups: number[] = []
  let size = 3
  let last = 0
  for (const { 0: token, groups: repeat } of source.matchAll(TOKEN)) {
    if (repeat?.least !== undefined) {
      const copies = Math.max(1, Number(repeat.least), Number(repeat.most ?? 0))
      // An optional copy takes one instruction more.
      const repeated = copies * (last + 1) + 2
      size += repeated - last
      last = repeated
    } else if (token === '(') {
      groups.push(size)
      size = 3
    } else if (token === ')') {
      last = size
      size += groups.pop() ?? 0
    } else {
      last = token.startsWith('\\Q') ? token.length : OPERATORS.has(token) ? 2 : 1
      size += last
    }
  }
  return size
}
