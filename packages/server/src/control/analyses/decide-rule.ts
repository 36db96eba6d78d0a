/** What a new grouping rule would do and how it reads, or why it contradicts another. Writes nothing. */
import { isSameGroup, mergedGroup } from '../../analysis/group/group-of-record.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Analysis, OVERFLOW_FINGERPRINT } from '../../model/analysis.ts'
import type { GroupingRule, RuleEffect, SplitField } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ControlTransaction } from '../database/database.ts'
import { findAnalysis } from './rows.ts'
import { unknownAnalysis } from './unknown-analysis.ts'

/** Analyses may be named by an id that was merged away. */
export type NewGroupingRule =
  | { kind: 'merge'; analysisId: string; intoAnalysisId: string }
  | { kind: 'split'; analysisId: string; by: SplitField }
  | {
      kind: 'ignore'
      type?: string | undefined
      service?: string | undefined
      titleBegins?: string | undefined
    }

export type IgnoringRule = Omit<Extract<NewGroupingRule, { kind: 'ignore' }>, 'kind'>
type Decision = { effect: RuleEffect; description: string }
export type IgnoreEffect = Extract<RuleEffect, { kind: 'ignore' }>

export async function decideRule(
  transaction: ControlTransaction,
  projectId: ProjectId,
  rule: NewGroupingRule,
  rules: readonly GroupingRule[],
): Promise<Decision> {
  if (rule.kind === 'ignore') return decideIgnore(rule)
  const analysis = await required(transaction, projectId, rule.analysisId, 'analysisId')
  if (analysis.fingerprint === OVERFLOW_FINGERPRINT) {
    throw new AppError('conflict', 'The overflow holds errors of many kinds. Choose another analysis.')
  }
  if (rule.kind === 'split') return decideSplit(analysis, rule.by, rules)
  const into = await required(transaction, projectId, rule.intoAnalysisId, 'intoAnalysisId')
  return decideMerge(analysis, into, rules)
}

function decideMerge(analysis: Analysis, into: Analysis, rules: readonly GroupingRule[]): Decision {
  const from = { fingerprint: analysis.fingerprint, splitValue: analysis.splitValue }
  const target = mergedGroup({ fingerprint: into.fingerprint, splitValue: into.splitValue }, rules)
  if (isSameGroup(from, target)) {
    throw new AppError('conflict', 'These are already one group. Name two different analyses.')
  }
  if (target.fingerprint === OVERFLOW_FINGERPRINT) {
    throw new AppError('conflict', 'Nothing can be merged into the overflow. Choose another analysis.')
  }
  if (target.splitValue === '' && rules.some((one) => one.kind === 'split' && one.fingerprint === target.fingerprint)) {
    throw new AppError(
      'conflict',
      'The other analysis is split. Merge into one of its parts, or remove the split first.',
    )
  }
  const description = `Errors like “${analysis.title}” count as “${into.title}”.`
  return { effect: { kind: 'merge', from, into: target }, description }
}

function decideSplit(analysis: Analysis, by: SplitField, rules: readonly GroupingRule[]): Decision {
  const { fingerprint, splitValue, title } = analysis
  if (splitValue !== '' || rules.some((rule) => rule.kind === 'split' && rule.fingerprint === fingerprint)) {
    throw new AppError('conflict', 'It is already split. Remove that rule to split it by another field.')
  }
  if (rules.some((rule) => rule.kind === 'merge' && isSameGroup(rule.into, { fingerprint, splitValue }))) {
    throw new AppError('conflict', 'Others were merged into it. Remove those rules before you split it.')
  }
  const description = `Errors like “${title}” are told apart by ${by}; those counted before stay together.`
  return { effect: { kind: 'split', fingerprint, by }, description }
}

export function decideIgnore({
  type,
  service,
  titleBegins,
}: Extract<NewGroupingRule, { kind: 'ignore' }>): Decision & { effect: IgnoreEffect } {
  if (titleBegins !== undefined) return decideIgnoreBeginning(titleBegins, { type, service })
  if (!type && !service) {
    throw new AppError('invalid_request', 'Name a type or a service: a rule that ignores everything is refused.')
  }
  const what = type ? `Errors of type ${type}` : 'All errors'
  const description = `${what}${service ? ` of ${service}` : ''} are ignored.`
  return { effect: { kind: 'ignore', type: type || null, service: service || null }, description }
}

function decideIgnoreBeginning(
  titleBegins: string,
  { type, service }: IgnoringRule,
): Decision & { effect: IgnoreEffect } {
  // The words of a title are one space apart.
  const words = titleBegins.trim().replace(/\s+/gu, ' ')
  if (words === '' || !service || type) {
    const message =
      'Name the words that titles begin with and the service, without a type: the same words mean other things elsewhere.'
    throw fieldError(words === '' ? 'titleBegins' : service ? 'type' : 'service', message)
  }
  const description = `Errors of ${service} whose title begins with “${words}” are ignored.`
  return { effect: { kind: 'ignore', type: null, service: null, begins: { service, words } }, description }
}

async function required(
  transaction: ControlTransaction,
  projectId: ProjectId,
  id: string,
  path: 'analysisId' | 'intoAnalysisId',
): Promise<Analysis> {
  const analysis = await findAnalysis(transaction, projectId, id)
  if (analysis) return analysis
  throw unknownAnalysis(path)
}
