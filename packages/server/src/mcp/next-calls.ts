/** Where an answer leads: the calls that several tools propose, and the page with the same question in it. */
import { analysisPage, deployPage, logsPage } from '@tidemark/wire/dashboard/address'
import { joinTerm } from '@tidemark/wire/query/edit'
import { printValue } from '@tidemark/wire/query/print'
import type { FilterInput } from '@tidemark/wire/reading/question'
import type { Span } from './text/sentences.ts'
import type { NextCall } from './tool.ts'
import type { Arguments } from './tool-error.ts'

/** Arguments for a ready call: what the agent gave, without what it left out. */
export function given(input: Arguments, ...without: string[]): Arguments {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && !without.includes(name)),
  )
}

type FoundPattern = { query: string | null; count: number }

/**
 * The call that opens the first pattern that can be opened. Its query is made of the agent's own words and numbers of ours; a
 * sender's text stays out of calls, also the environment of a deploy: the deploy stands for it, and for what was only
 * before it there is no call.
 */
export function patternCall(
  { environment, deployId }: { environment?: string | undefined; deployId?: string | undefined },
  patterns: readonly FoundPattern[],
  { window, baseWindow }: { window: Span; baseWindow: Span | null },
  why: string,
): NextCall[] {
  const first = patterns.find(({ query, count }) => query !== null && (count > 0 || deployId === undefined))
  if (first === undefined) return []
  const where = first.count > 0 || baseWindow === null ? window : baseWindow
  return [{ tool: 'list_logs', arguments: { ...given({ environment, deployId }), query: first.query, ...where }, why }]
}

export const SEE_FIELDS: NextCall = {
  tool: 'list_fields',
  arguments: {},
  why: 'see which fields and values there are',
}

export function seeDeploy(id: string): NextCall {
  return { tool: 'get_deploy', arguments: { id }, why: 'whether it did harm, and its commits' }
}

type LogsQuestion = FilterInput & { analysisId?: string | undefined; deployId?: string | undefined }

/**
 * Built from the agent's words, never from ingested text. For an analysis or a deploy, its own page; the address of a search
 * cannot express either.
 */
export function pageOfLogs(input: LogsQuestion, window: Span): string {
  const { analysisId, deployId, query = '', environment, level, service, traceId } = input
  if (analysisId !== undefined) return analysisPage(analysisId)
  if (deployId !== undefined) return deployPage(deployId)
  const terms = [
    level && `level:${level}`,
    service && `service:${printValue(service)}`,
    traceId && `traceId:${printValue(traceId)}`,
  ].filter((term): term is string => Boolean(term))
  return logsPage({ query: terms.reduce(joinTerm, query), environment, ...window })
}
