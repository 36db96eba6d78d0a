/** The searches that find the records of an analysis, and with them what a finding rests on. */
import { allOf, anyOf, type Expression, type Query } from '@tidemark/wire/query/ast'
import { printQuery } from '@tidemark/wire/query/print'
import { OVERFLOW_FINGERPRINT } from '../../model/analysis.ts'
import type { ErrorKind, Group, RuleEffect } from '../../model/grouping-rule.ts'
import { equals, has } from '../field-query.ts'
import { isSameGroup, mergedGroup, splitFieldOf } from './group-of-record.ts'

/** The groups whose records make up an analysis: its own, and those that rules merge into it. */
export function groupsOf({ fingerprint, splitValue }: Group, rules: readonly RuleEffect[]): Group[] {
  const own = { fingerprint, splitValue }
  const merged = rules.flatMap((rule) =>
    rule.kind === 'merge' && !isSameGroup(rule.from, own) && isSameGroup(mergedGroup(rule.from, rules), own)
      ? [rule.from]
      : [],
  )
  return [own, ...merged]
}

/** The kinds of records in an analysis; none for the overflow group, which no search can find. */
export function kindsOf(analysis: Group, rules: readonly RuleEffect[]): ErrorKind[] {
  if (analysis.fingerprint === OVERFLOW_FINGERPRINT) return []
  const kinds = groupsOf(analysis, rules).map((group) => kindOf(group, rules))
  const whole = new Set(kinds.filter(({ split }) => split === null).map(({ fingerprint }) => fingerprint))
  return kinds.filter(({ split, fingerprint }) => split === null || !whole.has(fingerprint))
}

/** Errors that were counted before a split stay together, so without a value the whole fingerprint is searched. */
function kindOf({ fingerprint, splitValue }: Group, rules: readonly RuleEffect[]): ErrorKind {
  const field = splitFieldOf(fingerprint, rules)
  return { fingerprint, split: field === null || splitValue === '' ? null : { field, value: splitValue } }
}

/**
 * Its records in its environment. Null when no search can find them: the overflow group is made of
 * errors that have no group of their own.
 */
export function recordsQuery(analysis: Group & { environment: string }, rules: readonly RuleEffect[]): Query | null {
  const kinds = anyOf(kindsOf(analysis, rules).map(kindExpression))
  if (kinds === null) return null
  return { root: allOf([kinds, equals('environment', analysis.environment)]) }
}

/** The same as a person would type it; for the overflow group, all errors of its environment, which comes closest. */
export function recordsText(analysis: Group & { environment: string }, rules: readonly RuleEffect[]): string {
  return printQuery(recordsQuery(analysis, rules) ?? errorsOf(analysis.environment))
}

export function errorsOf(environment: string): Query {
  return { root: allOf([has('fingerprint'), equals('environment', environment)]) }
}

export function environmentQuery(environment: string): Query {
  return { root: equals('environment', environment) }
}

function kindExpression({ fingerprint, split }: ErrorKind): Expression {
  const kind = equals('fingerprint', fingerprint)
  return split === null ? kind : (allOf([kind, equals(split.field, split.value)]) ?? kind)
}
