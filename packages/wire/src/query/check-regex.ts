/**
 * What is certainly wrong with a regular expression, by the syntax of RE2, so that it is told before anything is asked. The
 * engine has the last word: what is not certain here, such as the names of scripts and sizes, is let through, and what it
 * accepts is never refused.
 */
import { place, QueryProblem } from './query-error.ts'

const MAX_REPEATS = 1_000
const REPEAT = /(?:[*+?]|\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\})\??/y
const GROUP = /\((?:\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?([:)])))?/y
const LOOKAROUND = /\(\?<?[=!]/y
const QUOTED = /\\Q([\s\S]*?)(?:\\E|$)/y
/** Escapes of one character, and those of several, which are no end of a range. */
const CHARACTER = /\\(?:[afnrtv]|0[0-7]{0,2}|[1-7][0-7]{1,2}|x(?:[\da-fA-F]{2}|\{[\da-fA-F]+\})|[^a-zA-Z\d])/uy
const CHARACTERS = /\\(?:[dDsSwW]|[pP](?:\{[^}]*\})?)/y
const POSITION = /\\[bBAzC]/y
const CLASS_NAME = /\[:\^?(\w*):\]/y
const CLASS_NAMES = 'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' ')

/** Throws a `QueryProblem`. `inText` says where a character of it stands in the query. */
export function checkRegex(source: string, inText: (at: number) => number = (at) => at): void {
  const groups: number[] = []
  let hasOperand = false
  let isRepeated = false
  let at = 0

  const matched = (pattern: RegExp, from = at): RegExpExecArray | null => {
    pattern.lastIndex = from
    return pattern.exec(source)
  }
  /** `what` has the place of `from` put in for its `@`. */
  const wrong = (from: number, to: number, what: string, hint: string) => {
    const [start, end] = [inText(from), inText(to)]
    return new QueryProblem({ from: start, to: end }, what.replace('@', `at ${place(start)}`), hint)
  }

  while (at < source.length) {
    const wasRepeated = isRepeated
    isRepeated = false
    const repeat = matched(REPEAT)
    const quoted = matched(QUOTED)
    if (repeat) {
      checkRepeat(repeat, wasRepeated)
      isRepeated = true
      at += repeat[0].length
    } else if (quoted) {
      hasOperand ||= quoted[1] !== ''
      at += quoted[0].length
    } else if (source[at] === '(') openGroup()
    else {
      if (source[at] === ')' && groups.pop() === undefined) {
        throw wrong(at, at + 1, 'The ) @ closes no group of the regular expression.', 'Write \\) for the sign itself.')
      }
      hasOperand = source[at] !== '|'
      at = source[at] === '[' ? endOfClass() : ((matched(POSITION) ? at + 2 : endOfCharacters()) ?? endOfCharacter(at))
    }
  }
  const open = groups.pop()
  if (open !== undefined) {
    throw wrong(open, open + 1, 'The group that opens @ is not closed.', 'Add a ), or write \\( for the sign itself.')
  }

  function checkRepeat([sign, low, comma, high]: RegExpExecArray, wasRepeated: boolean): void {
    const end = at + sign.length
    if (!hasOperand) {
      const hint = `Write what is repeated before it, or \\${sign[0]} for the sign itself.`
      throw wrong(at, end, `The ${sign} @ has nothing to repeat.`, hint)
    }
    if (wasRepeated) {
      const hint = 'Leave one of them out, or put what is repeated into a group, as in (?:a+)*.'
      throw wrong(at, end, `The ${sign} @ repeats a repetition.`, hint)
    }
    if (Number(low) > MAX_REPEATS || Number(high) > MAX_REPEATS) {
      throw wrong(at, end, `The ${sign} @ repeats more than 1,000 times.`, 'Repeat at most 1,000 times, or use + or *.')
    }
    if (comma && high && Number(low) > Number(high)) {
      throw wrong(at, end, `The ${sign} @ begins above its end.`, `Swap the ends: {${high},${low}}`)
    }
  }

  function openGroup(): void {
    const [group = '(', ending] = matched(GROUP) ?? []
    if (group === '(' && source[at + 1] === '?') {
      if (matched(LOOKAROUND)) {
        const hint = 'Use two terms instead, such as /a/ -/b/.'
        const end = at + (source[at + 2] === '<' ? 4 : 3)
        throw wrong(at, end, 'RE2 cannot look ahead or behind, as the group @ does.', hint)
      }
      const isNamed = source.startsWith('<', at + 2) || source.startsWith('P<', at + 2)
      if (!isNamed) {
        const hint = 'Write (?:…), (?P<name>…) or flags such as (?i), or \\( for the sign itself.'
        throw wrong(at, Math.min(at + 3, source.length), 'RE2 has no group that begins as the one @ does.', hint)
      }
      // Which letters a name may have differs between versions.
      at += source.indexOf('<', at) - at + 1
      groups.push(at)
      hasOperand = true
      return
    }
    if (ending !== ')') {
      groups.push(at)
      hasOperand = false
    }
    at += group.length
  }

  function endOfCharacters(from = at): number | undefined {
    const several = matched(CHARACTERS, from)
    return several ? from + several[0].length : undefined
  }

  function endOfCharacter(from: number): number {
    if (source[from] !== '\\') return from + ((source.codePointAt(from) ?? 0) > 0xffff ? 2 : 1)
    const character = matched(CHARACTER, from)
    if (character) return from + character[0].length
    const escaped = source.slice(from, from + 2)
    if (escaped === '\\') {
      throw wrong(from, from + 1, 'The \\ @ escapes nothing.', 'Write \\\\ for a backslash.')
    }
    if (/\d/.test(escaped)) {
      const hint = 'Write out what comes again, or leave out the backslash.'
      throw wrong(from, from + 2, `RE2 has no references such as the ${escaped} @.`, hint)
    }
    const hint = 'Leave out the backslash, or write \\\\ for one.'
    throw wrong(from, from + 2, `The ${escaped} @ means nothing in a regular expression.`, hint)
  }

  function endOfClass(): number {
    let next = at + (source[at + 1] === '^' ? 2 : 1)
    // A ] that comes first is a character.
    const first = next
    while (next < source.length && (source[next] !== ']' || next === first)) {
      const named = matched(CLASS_NAME, next)
      if (named && !CLASS_NAMES.includes(named[1] ?? '')) {
        const hint = 'Write for example [[:alpha:]], [[:digit:]] or [[:space:]].'
        throw wrong(next, next + named[0].length, `RE2 has no class of the name ${named[0]}.`, hint)
      }
      next = named ? next + named[0].length : (endOfCharacters(next) ?? endOfRange(next))
    }
    if (next < source.length) return next + 1
    throw wrong(at, at + 1, 'The [ @ is not closed.', 'Add a ], or write \\[ for the sign itself.')
  }

  function endOfRange(from: number): number {
    const middle = endOfCharacter(from)
    if (source[middle] !== '-' || middle + 1 >= source.length || source[middle + 1] === ']') return middle
    const end = endOfCharacter(middle + 1)
    const [low, high] = [source.slice(from, middle), source.slice(middle + 1, end)]
    if (plainCode(low) > plainCode(high)) {
      throw wrong(from, end, `The range ${low}-${high} @ begins above its end.`, `Swap the ends: ${high}-${low}`)
    }
    return end
  }
}

/** NaN, which is neither above nor below, for what stands for another character. */
function plainCode(text: string): number {
  const plain = text.replace(/^\\(?=[^a-zA-Z\d])/, '')
  return plain.startsWith('\\') && plain.length > 1 ? Number.NaN : (plain.codePointAt(0) ?? Number.NaN)
}
