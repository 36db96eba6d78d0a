/** The question for records, with the deploys between them. */
import { z } from 'zod'
import { MAX_ID_CHARACTERS } from '../limits.ts'
import { filterInput, nearestTerms, page, usedWindow, warning } from './question.ts'
import { deployRow, logRow } from './row.ts'

export const searchInput = filterInput.extend({
  ...page,
  order: z.enum(['newest', 'oldest']).optional(),
  /** Only its records; without a `from`, all that are kept. */
  analysisId: z.string().max(MAX_ID_CHARACTERS).optional(),
  /** Only its environment, from the deploy until the next one there that succeeded. */
  deployId: z.string().max(MAX_ID_CHARACTERS).optional(),
})

export const searchAnswer = z.object({
  window: usedWindow,
  /** In the order asked for; deploys appear between the records at their time. */
  rows: z.array(z.discriminatedUnion('kind', [logRow, deployRow])),
  nextCursor: z.string().nullable(),
  warnings: z.array(warning),
  /** Why there are no records, and where there are some; null when there are. */
  empty: z.string().nullable(),
  nearest: z.array(nearestTerms).optional(),
})

export type SearchInput = z.infer<typeof searchInput>
export type SearchAnswer = z.infer<typeof searchAnswer>
