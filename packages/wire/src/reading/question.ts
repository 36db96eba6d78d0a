/** What many questions take and their answers say. Times are RFC 3339 in UTC, windows `[from, to)`. */
import { z } from 'zod'
import {
  MAX_CURSOR_CHARACTERS,
  MAX_LEVEL_CHARACTERS,
  MAX_LIMIT,
  MAX_NAME_CHARACTERS,
  MAX_TIME_CHARACTERS,
} from '../limits.ts'

export const DEFAULT_LIMIT = 50

/** Times take the whole time grammar (`-24h`, `now-90m`, RFC 3339, epoch, `deploy:latest-15m` …). */
export const windowInput = z.object({
  environment: z.string().max(MAX_NAME_CHARACTERS).optional(),
  from: z.string().max(MAX_TIME_CHARACTERS).optional(),
  to: z.string().max(MAX_TIME_CHARACTERS).optional(),
})

/** The shorthands (`service`, `level`, `traceId`) are further terms beside `query`. */
export const filterInput = windowInput.extend({
  query: z.string().optional(),
  service: z.string().max(MAX_NAME_CHARACTERS).optional(),
  level: z.string().max(MAX_LEVEL_CHARACTERS).optional(),
  traceId: z.string().max(MAX_NAME_CHARACTERS).optional(),
})

/** For answers that come in pages. */
export const page = {
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
  cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional(),
}

/** The window that `from` and `to` were read as. */
export const usedWindow = z.object({ from: z.string(), to: z.string() })
/** `suggestions`: what could stand in place of what is between `from` and `to`. */
export const warning = z.object({
  message: z.string(),
  from: z.int().optional(),
  to: z.int().optional(),
  suggestions: z.array(z.string()).optional(),
})

/** What there is in place of a term that nothing matches, and where the term is in the query. */
export const nearestTerms = z.object({ from: z.int(), to: z.int(), suggestions: z.array(z.string()) })

export type WindowInput = z.infer<typeof windowInput>
export type FilterInput = z.infer<typeof filterInput>
export type Warning = z.infer<typeof warning>
export type NearestTerms = z.infer<typeof nearestTerms>
