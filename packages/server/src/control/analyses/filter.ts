/** The filter of a list of analyses, in SQL. The state follows from columns and the clock, as in `stateOf`. */
import { QUIET_WINDOW_US } from '@tidemark/wire/analyses/analysis-state'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { foldedText } from '../../analysis/group/search-text.ts'
import { type AnalysisState, NEW_FOR_US } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ControlSchema } from '../database/schema.ts'

export type AnalysisFilter = {
  limit: number
  /** Seen at or after it … */
  fromUs?: number | undefined
  /** … and first seen before it. */
  toUs?: number | undefined
  /** None of them is none at all. */
  ids?: readonly string[] | undefined
  environment?: string | undefined
  service?: string | undefined
  fingerprint?: string | undefined
  state?: AnalysisState | undefined
  /** Words that must all appear in title, type, place, messages or stack, whatever their case. */
  words?: readonly string[] | undefined
  /** Current episode began in [from, to). */
  anchoredFromUs?: number | undefined
  anchoredToUs?: number | undefined
  sort: 'lastSeen' | 'firstSeen' | 'count'
  /** The last of the page before. */
  after?: { value: number; id: string } | undefined
}

type Builder = ExpressionBuilder<ControlSchema, 'analyses' | 'analysis_samples'>

export const SORT_COLUMNS = { lastSeen: 'last_seen_us', firstSeen: 'first_seen_us', count: 'errors' } as const

/** All but the state, the page and the limit. */
export function isInFilter(projectId: ProjectId, filter: AnalysisFilter) {
  return (eb: Builder): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [
      eb('analyses.project_id', '=', projectId),
      eb('analyses.merged_into', 'is', null),
    ]
    const { ids, fromUs, toUs, environment, service, fingerprint, anchoredFromUs, anchoredToUs, words = [] } = filter
    if (ids !== undefined) conditions.push(ids.length === 0 ? sql<SqlBool>`1 = 0` : eb('analyses.id', 'in', ids))
    if (fromUs !== undefined) conditions.push(eb('analyses.last_seen_us', '>=', fromUs))
    if (toUs !== undefined) conditions.push(eb('analyses.first_seen_us', '<', toUs))
    if (environment !== undefined) conditions.push(eb('analyses.environment', '=', environment))
    if (service !== undefined) conditions.push(eb('analyses.service', '=', service))
    if (fingerprint !== undefined) conditions.push(eb('analyses.fingerprint', '=', fingerprint))
    if (anchoredFromUs !== undefined) conditions.push(eb('analyses.anchor_us', '>=', anchoredFromUs))
    if (anchoredToUs !== undefined) conditions.push(eb('analyses.anchor_us', '<', anchoredToUs))
    for (const word of words) {
      conditions.push(sql<SqlBool>`analysis_samples.search_text like ${containing(word)} escape '!'`)
    }
    return eb.and(conditions)
  }
}

export function isInState(state: AnalysisState, nowUs: number): Expression<SqlBool> {
  return sql<SqlBool>`${stateExpression(nowUs)} = ${state}`
}

export function stateExpression(nowUs: number) {
  return sql<AnalysisState>`case
    when analyses.status <> 'open' then analyses.status
    when analyses.episode_count > 1 and analyses.anchor_us > ${nowUs - QUIET_WINDOW_US} then 'regressed'
    when analyses.episode_count = 1 and analyses.anchor_us > ${nowUs - NEW_FOR_US} then 'new'
    else 'ongoing'
  end`
}

function containing(word: string): string {
  return `%${foldedText(word).replace(/[!%_]/g, '!$&')}%`
}
