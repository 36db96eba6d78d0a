import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { plainLine } from '../../text/plain-text.ts'

type IgnoringRule = { type?: string; service?: string }

/** What a rule could look at in an analysis, the narrowest first. */
export function ignoringRules({
  type,
  service,
}: Pick<AnalysisItem, 'type' | 'service'>): { label: string; rule: IgnoringRule }[] {
  const [what, where] = [plainLine(type), plainLine(service)]
  return [
    ...(type !== '' && service !== '' ? [{ label: `${what} of ${where}`, rule: { type, service } }] : []),
    ...(type === '' ? [] : [{ label: `${what} of every service`, rule: { type } }]),
    ...(service === '' ? [] : [{ label: `Every error of ${where}`, rule: { service } }]),
  ]
}
