/**
 * Arguments that several tools share: those of the verbs, with a few words. Descriptions are short: every agent pays for
 * them in every conversation.
 */
import { MAX_QUERY_CHARACTERS } from '@tidemark/wire/query/limits'
import { DEFAULT_LIMIT, filterInput } from '@tidemark/wire/reading/question'
import { searchInput } from '@tidemark/wire/reading/search'
import { DEFAULT_FROM } from '@tidemark/wire/time/resolve-time'
import { z } from 'zod'

/** Longer than the verbs' own cursors, because a page that was cut adds the deploys it showed ahead. */
const MAX_TOOL_CURSOR_CHARACTERS = 4_096

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
  cursor: z
    .string()
    .max(MAX_TOOL_CURSOR_CHARACTERS)
    .optional()
    .describe('nextCursor of the page before; same arguments'),
}

/** A cursor knows its window, so the default must not contradict it. */
export function withDefaultFrom<T extends { from?: string | undefined; cursor?: string | undefined }>(input: T): T {
  return input.from === undefined && input.cursor === undefined ? { ...input, from: DEFAULT_FROM } : input
}
