/** The patterns of a query: what its records say, with what varies left out. All texts in it were chosen by senders. */

import { z } from 'zod'
import { MAX_LIMIT } from '../limits.ts'
import { comparedInput } from './compare.ts'
import { usedWindow, warning } from './question.ts'

const { from, to } = comparedInput.shape

/** One window, or two, or a deploy. Without a second window there is nothing that is new or gone. */
export const patternsInput = comparedInput.extend({
  /** The second window is the time before the first, as long as it: `previous`. */
  compare: z.enum(['previous']).optional(),
  compareFrom: from,
  compareTo: to,
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
})

/** `steady`: no difference that is more than chance, which small counts never show but for one: what was not there before is `new`. */
const PATTERN_STATES = ['new', 'grown', 'gone', 'shrunk', 'steady'] as const

const logPattern = z.object({
  /** The same for the same text. Not a value of the field `pattern`: `query` finds the records. */
  id: z.string(),
  /** `<*>` stands for what varies. */
  pattern: z.string(),
  /** Records of the window. */
  count: z.int(),
  /** Of all records of the window that match, 0 to 1. */
  share: z.number(),
  /** Against the base; null without one, and where one of the windows has no records. */
  state: z.enum(PATTERN_STATES).nullable(),
  /** Null without a base. */
  baseCount: z.int().nullable(),
  /** Within the window, not ever; for one that is gone, within the base. */
  firstSeen: z.string(),
  lastSeen: z.string(),
  /** Records in each of 24 equal slices of the window, oldest first. */
  trend: z.array(z.int()),
  /** The gravest first. */
  levels: z.array(z.string()),
  services: z.array(z.string()),
  /** Finds its records, with the environment and the window (of one that is gone, the base); null when none can. */
  query: z.string().nullable(),
  /** Records that `query` finds there: fewer than there are when a query cannot hold all that the pattern is made of. */
  queryCount: z.int(),
  /** The newest record. */
  sampleId: z.string().nullable(),
  /** The beginning of its message. */
  sample: z.string().nullable(),
})

export const patternsAnswer = z.object({
  window: usedWindow,
  /** What the patterns are compared with; null without. */
  baseWindow: usedWindow.nullable(),
  /** The environment that was asked for, or that of the deploy; null for all of them. */
  environment: z.string().nullable(),
  records: z.int(),
  baseRecords: z.int().nullable(),
  /** How long a slice of a trend is. */
  trendSeconds: z.number(),
  /** Without a base the most frequent first; with one new errors, other changes, what is new and rare, then the most frequent. */
  patterns: z.array(logPattern),
  /** Patterns that did not fit into the limit, and the records of the window that none of those shown has. */
  otherPatterns: z.int(),
  otherRecords: z.int(),
  warnings: z.array(warning),
  /** Why there are no patterns; null when there are. */
  empty: z.string().nullable(),
})

export type PatternsInput = z.infer<typeof patternsInput>
export type PatternsAnswer = z.infer<typeof patternsAnswer>
export type LogPattern = z.infer<typeof logPattern>
export type PatternState = (typeof PATTERN_STATES)[number]
