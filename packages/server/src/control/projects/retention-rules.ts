/** The rules of a project's retention: which are allowed, and how they are kept. */

import { LEVELS } from '@tidemark/wire/level'
import { MAX_RETENTION_DAYS, MAX_RETENTION_RULES } from '@tidemark/wire/limits'
import type { RetentionRule, RetentionRuleInput } from '@tidemark/wire/retention'
import { parseRetentionRule, writeRetentionRule } from '@tidemark/wire/retention-text'
import { withCommas } from '@tidemark/wire/text/counted'
import { AppError, type FieldError } from '../../errors.ts'
import { writtenNameProblem } from './written-name.ts'

/** As they are kept, with every problem there is. A rule may be given as it is kept, or with less said. */
export function checkedRules(input: readonly RetentionRuleInput[]): { rules: RetentionRule[]; problems: FieldError[] } {
  if (input.length > MAX_RETENTION_RULES) {
    return { rules: [], problems: [{ path: 'retentionRules', message: `must be at most ${MAX_RETENTION_RULES}` }] }
  }
  const rules = input.map(completeRule)
  return { rules, problems: rules.flatMap((rule, index) => problemsOf(rule, rules.slice(0, index), index)) }
}

function completeRule({ levels, service, environment, days }: RetentionRuleInput): RetentionRule {
  // In one order, so that two ways to say the same are the same.
  const named = levels ? LEVELS.filter((level) => levels.includes(level)) : null
  return { levels: named, service: service ?? null, environment: environment ?? null, days }
}

function problemsOf(rule: RetentionRule, earlier: readonly RetentionRule[], index: number): FieldError[] {
  const problems: FieldError[] = []
  const say = (path: string, message: string) => problems.push({ path: `retentionRules.${index}.${path}`, message })
  const { levels, service, environment, days } = rule
  if (levels?.length === 0) say('levels', 'must name at least one level, or be left out')
  if (levels === null && service === null && environment === null) {
    say('levels', 'must be given, or a service or an environment: what applies to all records is `retentionDays`')
  }
  for (const [path, name] of [['service', service] as const, ['environment', environment] as const]) {
    const problem = name === null ? undefined : writtenNameProblem(name)
    if (problem !== undefined) say(path, problem)
  }
  const problem = daysProblem(days)
  if (problem !== undefined) say('days', problem)
  const before = earlier.findIndex((one) => covers(one, rule))
  if (before !== -1) say('days', `never counts, because rule ${before + 1} applies to the same records first`)
  return problems
}

/** What is wrong with how long records are to be kept, by a rule or without one. */
export function daysProblem(days: number): string | undefined {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_RETENTION_DAYS) return undefined
  return `must be a whole number from 1 to ${withCommas(MAX_RETENTION_DAYS)}`
}

/** Whether the rule applies to every record that the other one applies to. */
function covers(rule: RetentionRule, other: RetentionRule): boolean {
  if (rule.service !== null && rule.service !== other.service) return false
  if (rule.environment !== null && rule.environment !== other.environment) return false
  return rule.levels === null || (other.levels ?? LEVELS).every((level) => rule.levels?.includes(level))
}

/** One on each line, as people write them, which is short: it is kept with every batch that has a name. */
export function rulesText(rules: readonly RetentionRule[]): string {
  return rules.map(writeRetentionRule).join('\n')
}

/** Few different ones are asked for again and again, and held by many. */
const known = new Map<string, readonly RetentionRule[]>()
const MAX_KNOWN = 1_000

export function storedRules(text: string): readonly RetentionRule[] {
  const before = known.get(text)
  if (before !== undefined) return before
  const rules = text === '' ? [] : text.split('\n').map(readRule)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(text, rules)
  return rules
}

function readRule(line: string): RetentionRule {
  const parsed = parseRetentionRule(line)
  if (parsed.ok) return parsed.rule
  throw new AppError('internal', `A retention rule in the database cannot be read: ${parsed.message}`)
}
