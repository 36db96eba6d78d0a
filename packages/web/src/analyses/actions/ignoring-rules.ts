import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import type { IgnoringRule } from '../../api/grouping-rules.ts'
import { plainLine } from '../../text/plain-text.ts'

type Likened = Pick<AnalysisItem, 'type' | 'service' | 'title'>

/** What a rule could look at in an analysis, the narrowest first. */
export function ignoringRules({ type, service, title }: Likened): { label: string; rule: IgnoringRule }[] {
  const [what, where] = [plainLine(type), plainLine(service)]
  // With a type, the words before the message are that type.
  const beginnings = type === '' && service !== '' ? beginningsOf(title) : []
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

/** What comes before the first value, and before that only the first words. A whole title is no beginning. */
function beginningsOf(title: string): string[] {
  const words = title.split(' ')
  const at = words.findIndex((word) => VALUE.test(word))
  const fixed = at === -1 ? words.length - 1 : at
  const lengths = [...new Set([fixed, Math.min(fixed, FIRST_WORDS)])]
  return lengths.filter((length) => length >= FEWEST_WORDS).map((length) => words.slice(0, length).join(' '))
}
