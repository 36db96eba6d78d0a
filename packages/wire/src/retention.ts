/** How long records are kept where some are kept longer or shorter than the rest: "errors 90 days, debug 3". */
import type { Level } from './level.ts'
import { counted } from './text/counted.ts'

/** What it does not name (null) may be anything. Of several rules that apply to a record the first one counts. */
export type RetentionRule = {
  levels: readonly Level[] | null
  service: string | null
  environment: string | null
  days: number
}
/** The same as people send it: what is left out may be anything. */
export type RetentionRuleInput = Pick<RetentionRule, 'days'> & {
  [Name in 'levels' | 'service' | 'environment']?: RetentionRule[Name] | undefined
}

/** `retentionDays` is for records that no rule applies to. */
export type Retention = { retentionDays: number; retentionRules?: readonly RetentionRule[] | undefined }

/** In days: no record is kept longer. */
export function longestRetention({ retentionDays, retentionRules = [] }: Retention): number {
  return Math.max(retentionDays, ...retentionRules.map(({ days }) => days))
}

/** What a rule applies to: `level debug or trace, service search`. */
export function ruleSubject({ levels, service, environment }: Omit<RetentionRule, 'days'>): string {
  return [
    ...(levels === null ? [] : [`level ${levels.join(' or ')}`]),
    ...(service === null ? [] : [`service ${service}`]),
    ...(environment === null ? [] : [`environment ${environment}`]),
  ].join(', ')
}

/** `3 days (level debug), 90 days (level error or fatal), otherwise 30 days`, as it follows on "kept for". */
export function retentionWords({ retentionDays, retentionRules = [] }: Retention): string {
  if (retentionRules.length === 0) return counted(retentionDays, 'day')
  const rules = retentionRules.map((rule) => `${counted(rule.days, 'day')} (${ruleSubject(rule)})`)
  return [...rules, `otherwise ${counted(retentionDays, 'day')}`].join(', ')
}

/** A copy that a JSON answer may hold. */
export function ruleView(rule: RetentionRule): RetentionRule & { levels: Level[] | null } {
  return { ...rule, levels: rule.levels && [...rule.levels] }
}

/** In the reason why a record was refused that is past the retention: by it a sender knows that a longer one would help. */
export const TOO_OLD = 'is older than the project keeps'
