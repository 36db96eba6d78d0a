/** Which group a record belongs to under the rules of its project. The worker and every reader ask this one function. */
import type { Group, RuleEffect, SplitField } from '../../model/grouping-rule.ts'

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

export function isIgnored(error: { type: string; service: string }, rules: readonly RuleEffect[]): boolean {
  return rules.some(
    (rule) =>
      rule.kind === 'ignore' &&
      (rule.type !== null || rule.service !== null) &&
      (rule.type === null || rule.type === error.type) &&
      (rule.service === null || rule.service === error.service),
  )
}
