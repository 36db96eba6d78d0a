import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import type { IgnoringRule } from '../../api/grouping-rules.ts'
import { plainLine } from '../../text/plain-text.ts'

type Likened = Pick<AnalysisItem, 'type' | 'service' | 'title'>

/** What a rule could look at in an analysis, or in all of several, the narrowest first. None where they have nothing in common. */
export function ignoringRules(likened: readonly Likened[]): { label: string; rule: IgnoringRule }[] {
  const [type, service] = [shared(likened, 'type'), shared(likened, 'service')]
  const [what, where] = [plainLine(type), plainLine(service)]
  // With a type, the words before the message are that type.
  const hasNoTypes = likened.every((one) => one.type === '')
  const beginnings = hasNoTypes && service !== '' ? beginningsOf(likened.map(({ title }) => title)) : []
  return [
    ...beginnings.map((words) => ({
      label: `Errors of ${where} that begin with “${plainLine(words)}”`,
      rule: { service, titleBegins: words },
    })),
    ...(type !== '' && service !== '' ? [{ label: `${what} of ${where}`, rule: { type, service } }] : []),
    ...(type === '' ? [] : [{ label: `${what} of every service`, rule: { type } }]),
    ...(service === '' ? [] : [{ label: `Every error of ${where}`, rule: { service } }]),
  ]
}

/** Fewer words say too little of what a message is about. */
const FEWEST_WORDS = 2
/** Floods come from words that vary without looking like values: then only the very first are shared. */
const FIRST_WORDS = 3
/** Whatever a value may look like: with a digit, in quotes or brackets, or after an equals sign. `can't` is a word. */
const VALUE = /\d|["`“”‘«»<>()[\]{}=…]|^'|'$/u

/** What all of them have there; empty where they differ, as where they have nothing. */
function shared(likened: readonly Likened[], field: 'type' | 'service'): string {
  const [first, ...others] = likened.map((one) => one[field])
  return first !== undefined && others.every((other) => other === first) ? first : ''
}

/**
 * What all have before the first value, and before that only the first words. A whole title is no beginning, but for one
 * that others begin with.
 */
function beginningsOf(titles: readonly string[]): string[] {
  const [words = [], ...others] = [...new Set(titles)].map((title) => title.split(' '))
  const at = words.findIndex((word, index) => VALUE.test(word) || others.some((other) => other[index] !== word))
  const fixed = at === -1 ? words.length - (others.length === 0 ? 1 : 0) : at
  const lengths = [...new Set([fixed, Math.min(fixed, FIRST_WORDS)])]
  return lengths.filter((length) => length >= FEWEST_WORDS).map((length) => words.slice(0, length).join(' '))
}
