/** The records that are past a project's retention, as conditions. All its times are beginnings of days. */
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { PastRetention } from '../../model/retention.ts'
import { QueryParams } from './params.ts'

type CompiledPast = {
  /** Which rule applies to a record: its place in the list, or that after the last. */
  ruleOfRecord: string
  /** In microseconds: a record from before it is past the retention. */
  beforeOfRecord: string
  /** The latest of them, so that only what can be past it is read. */
  latest: string
  values: Record<string, unknown>
}

export function compilePast({ rules, beforeUs }: PastRetention): CompiledPast {
  const params = new QueryParams('past')
  const conditions = rules.map((rule) => conditionOf(rule, params))
  const times = [...rules.map((rule) => rule.beforeUs), beforeUs]
  const choose = (results: readonly string[]) =>
    conditions.length === 0
      ? results[0]!
      : `multiIf(${conditions.map((condition, at) => `${condition}, ${results[at]}`).join(', ')}, ${results.at(-1)})`
  return {
    ruleOfRecord: choose(times.map((_, at) => `toUInt8(${at})`)),
    beforeOfRecord: choose(times.map((timeUs) => params.add('Int64', timeUs))),
    latest: params.add('Int64', Math.max(...times)),
    values: params.values,
  }
}

function conditionOf({ levels, service, environment }: PastRetention['rules'][number], params: QueryParams): string {
  const conditions = [
    // Numbers of our own.
    ...(levels === null ? [] : [`toInt8(level) IN (${levels.map((level) => LEVEL_NUMBER[level]).join(', ')})`]),
    ...(service === null ? [] : [`service = ${params.add('String', service)}`]),
    ...(environment === null ? [] : [`environment = ${params.add('String', environment)}`]),
  ]
  return `(${conditions.join(' AND ')})`
}
