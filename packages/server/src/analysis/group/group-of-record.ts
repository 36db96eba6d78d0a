/** Which group a record belongs to under the rules of its project. The worker and every reader ask this one function. */
import type { Group, RuleEffect, SplitField, TitleBeginning } from '../../model/grouping-rule.ts'

type GroupedRecord = {
  /** Null for a record that is not an error. */
  fingerprint: string | null
} & Record<SplitField, string>

/** Null when the record is not an error. */
export function groupOfRecord(record: GroupedRecord, rules: readonly RuleEffect[]): Group | null {
  if (record.fingerprint === null) return null
  const by = splitFieldOf(record.fingerprint, rules)
  return mergedGroup({ fingerprint: record.fingerprint, splitValue: by === null ? '' : record[by] }, rules)
}

export function splitFieldOf(fingerprint: string, rules: readonly RuleEffect[]): SplitField | null {
  for (const rule of rules) if (rule.kind === 'split' && rule.fingerprint === fingerprint) return rule.by
  return null
}

/** Follows merges to their end. Rules that form a circle cannot be made; if there are some, it stops at the circle. */
export function mergedGroup(group: Group, rules: readonly RuleEffect[]): Group {
  let at = group
  for (let left = rules.length; left > 0; left--) {
    const next = rules.find((rule) => rule.kind === 'merge' && isSameGroup(rule.from, at))
    if (next?.kind !== 'merge') return at
    at = next.into
  }
  return at
}

export function isSameGroup(a: Group, b: Group): boolean {
  return a.fingerprint === b.fingerprint && a.splitValue === b.splitValue
}

type IgnorableError = { type: string; service: string; title: string }

/** The first of the rules that makes it ignored. */
export function ignoringRule<Rule extends RuleEffect>(error: IgnorableError, rules: readonly Rule[]): Rule | undefined {
  return rules.find((rule) => {
    if (rule.kind !== 'ignore') return false
    if (rule.begins) return isOfBeginning(error, rule.begins)
    return (
      (rule.type !== null || rule.service !== null) &&
      (rule.type === null || rule.type === error.type) &&
      (rule.service === null || rule.service === error.service)
    )
  })
}

/** By whole words; the parts of a title are one space apart. */
function isOfBeginning({ service, title }: IgnorableError, begins: TitleBeginning): boolean {
  return service === begins.service && (title === begins.words || title.startsWith(`${begins.words} `))
}
