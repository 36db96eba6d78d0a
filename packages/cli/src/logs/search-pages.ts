import { MAX_LIMIT } from '@tidemark/wire/limits'
import type { SearchAnswer } from '@tidemark/wire/reading/search'
import { ask } from '../client/ask.ts'
import type { Connection } from '../client/connection.ts'
import type { Retrying } from '../client/request.ts'
import type { Row } from './format-row.ts'

/** What is the same for the search and for the tail. */
export type Filter = {
  query: string | undefined
  environment: string | undefined
  service: string | undefined
  level: string | undefined
}

type Search = Filter & { from: string; to?: string | undefined; order: 'newest' | 'oldest'; limit: number }

/** Page after page in the order asked for, together at most `limit` rows. */
async function* searchPages(
  connection: Connection,
  { limit, ...question }: Search,
  options: Retrying & { signal?: AbortSignal } = {},
): AsyncGenerator<SearchAnswer> {
  let left = limit
  let cursor: string | undefined
  do {
    const answer: SearchAnswer = await ask(
      connection,
      '/api/logs',
      { ...question, limit: Math.min(MAX_LIMIT, left), cursor },
      options,
    )
    yield answer
    left -= answer.rows.length
    cursor = answer.nextCursor ?? undefined
  } while (cursor !== undefined && left > 0)
}

type Found = {
  rows: Row[]
  window: SearchAnswer['window']
  /** There is more in the window than was asked for. */
  hasMore: boolean
  empty: string | null
  warnings: string[]
}

export async function searchAll(
  connection: Connection,
  search: Search,
  options: Retrying & { signal?: AbortSignal } = {},
): Promise<Found> {
  const found: Found = { rows: [], window: { from: '', to: '' }, hasMore: false, empty: null, warnings: [] }
  for await (const page of searchPages(connection, search, options)) {
    if (found.window.from === '') {
      found.window = page.window
      found.empty = page.empty
      found.warnings = page.warnings.map(({ message }) => message)
    }
    found.rows.push(...page.rows)
    found.hasMore = page.nextCursor !== null
  }
  return found
}
