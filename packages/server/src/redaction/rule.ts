import type { BuiltInRule } from '@tidemark/wire/redaction-rules'

/** How one kind of secret is found in a text. */
export type RedactionRule = {
  name: BuiltInRule
  /** Global. A first group, when there is one, is kept in front of the replacement. */
  pattern: RegExp
  /** What the text must contain, where that is quicker to check: neighbours that need the same are skipped together. */
  needs?: Pick<RegExp, 'test'>
  /** Where the secret ends. The pattern is then what comes before it, all of which is kept. */
  end?: (text: string, start: number, before: string) => number
  /** Judges the secret alone, without the kept part. */
  accepts?: (secret: string) => boolean
}
