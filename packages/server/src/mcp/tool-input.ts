/**
 * Arguments that several tools share: those of the verbs, with a few words. Descriptions are short: every agent pays for
 * them in every conversation.
 */

import { analysisPage, deployPage } from '@tidemark/wire/dashboard/address'
import { joinTerm } from '@tidemark/wire/query/edit'
import { MAX_QUERY_CHARACTERS } from '@tidemark/wire/query/limits'
import { printValue } from '@tidemark/wire/query/print'
import {
  DEFAULT_LIMIT,
  type FilterInput,
  filterInput,
  searchInput,
  type WindowInput,
  warning,
} from '@tidemark/wire/reading/reading'
import { DEFAULT_FROM } from '@tidemark/wire/time/resolve-time'
import { z } from 'zod'
import type { NextCall } from './tool.ts'
import type { Arguments } from './tool-error.ts'

/** Longer than the verbs' own cursors, because a page that was cut adds the deploys it showed ahead. */
const MAX_CURSOR_CHARACTERS = 4_096

const { environment, from, to, service, level, traceId } = filterInput.shape

export const windowArguments = {
  environment: environment.describe('exact name'),
  from: from.describe('time: RFC 3339, -90m, deploy:latest-15m').meta({ default: DEFAULT_FROM }),
  to: to.describe('time, not included').meta({ default: 'now' }),
}

export const filterArguments = {
  ...windowArguments,
  query: z.string().max(MAX_QUERY_CHARACTERS).optional().describe('e.g. timeout http.status:>=500 -service:web'),
  service,
  level: level.describe('error, or >=warn'),
  traceId,
}

export const limitArgument = {
  limit: searchInput.shape.limit.meta({ default: DEFAULT_LIMIT }),
}

export const pageArguments = {
  ...limitArgument,
  cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional().describe('nextCursor of the page before; same arguments'),
}

/** A cursor knows its window, so the default must not contradict it. */
export function withDefaultFrom<T extends { from?: string | undefined; cursor?: string | undefined }>(input: T): T {
  return input.from === undefined && input.cursor === undefined ? { ...input, from: DEFAULT_FROM } : input
}

/** Arguments for a ready call: what the agent gave, without what it left out. */
export function given(input: Arguments, ...without: string[]): Arguments {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && !without.includes(name)),
  )
}

type FoundPattern = { query: string | null; count: number }
type Span = { from: string; to: string }

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

type LogsQuestion = (FilterInput | WindowInput) & { analysisId?: string | undefined; deployId?: string | undefined }

/** For an analysis or a deploy, its own page; the address of a search cannot express either. */
export function logsPage(input: LogsQuestion, window: Span): string {
  if (input.analysisId !== undefined) return analysisPage(input.analysisId)
  if (input.deployId !== undefined) return deployPage(input.deployId)
  return pageOf('logs', input, window)
}

/** The address of a page with the same question in it: built from the agent's words, never from ingested text. */
export function pageOf(name: string, input: FilterInput | WindowInput, window: Span): string {
  const { query, service, level, traceId } = input as FilterInput
  const terms = [
    level && `level:${level}`,
    service && `service:${printValue(service)}`,
    traceId && `traceId:${printValue(traceId)}`,
  ].filter((term): term is string => Boolean(term))
  const asked = terms.reduce(joinTerm, query ?? '')
  const parameters = new URLSearchParams()
  if (asked !== '') parameters.set('query', asked)
  if (input.environment !== undefined) parameters.set('environment', input.environment)
  parameters.set('from', window.from)
  parameters.set('to', window.to)
  return `${name}?${parameters}`
}

/** The position in the query is for people, who see it underlined. */
export const warnings = z.array(warning.pick({ message: true }))

export function windowFact({ from, to }: Span): string {
  return `Window: ${from} to ${to}`
}

/** Our sentence outside the fence; the verb's explanation names environments and services and stays inside. */
export function emptyFact(empty: string | null, sentence: string): string[] {
  return empty === null ? [] : [`${sentence} Why, and where there is something, stands below.`]
}

export function remarks(empty: string | null, list: readonly { message: string }[]): string[] {
  return [...(empty === null ? [] : [empty]), ...list.map(({ message }) => `note: ${message}`)]
}
