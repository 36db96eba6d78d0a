/** What is typed about a rule that ignores, as the service takes it. */
import type { IgnoringRule } from '../../api/grouping-rules.ts'

export type IgnoreRuleFields = { by: 'type' | 'words'; type: string; words: string; service: string }

export const NO_RULE: IgnoreRuleFields = { by: 'type', type: '', words: '', service: '' }

/** What is typed into a field that is not shown does not count. */
export function ignoringRule({ by, type, words, service }: IgnoreRuleFields): IgnoringRule {
  const ofService = service === '' ? {} : { service }
  if (by === 'words') return { titleBegins: words.trim(), ...ofService }
  return { ...(type.trim() === '' ? {} : { type: type.trim() }), ...ofService }
}

/** Which service the words are of, the form asks for when it is sent. */
export const isWorthSending = ({ by, type, words, service }: IgnoreRuleFields): boolean =>
  by === 'words' ? words.trim() !== '' : type.trim() !== '' || service !== ''
