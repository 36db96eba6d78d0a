/** The question how two windows of records differ, and its answer. All names and values in it were chosen by senders. */
import { z } from 'zod'
import { MAX_ID_CHARACTERS } from '../limits.ts'
import { filterInput, usedWindow, warning } from './question.ts'

const { from, to } = filterInput.shape

/** What one window holds, or what is different after a deploy. */
export const comparedInput = filterInput.omit({ traceId: true }).extend({
  /** After it against before it, in its environment: as long as it ran, from 5 minutes to an hour. */
  deployId: z.string().max(MAX_ID_CHARACTERS).optional(),
})

/** Two windows, or a deploy. Without a base it is the time just before, as long as the window. */
export const compareInput = comparedInput.extend({ baseFrom: from, baseTo: to })

export const CHANGES = ['appeared', 'vanished', 'grew', 'shrank'] as const

/** A value that another share of the records has than in the base. */
const difference = z.object({
  /** As in a query; `pattern` for message templates. */
  field: z.string(),
  /** Of a pattern its text, with `<*>` for what varies. */
  value: z.string(),
  /** Records of the window with the value, of those that were looked at. */
  count: z.int(),
  total: z.int(),
  baseCount: z.int(),
  baseTotal: z.int(),
  change: z.enum(CHANGES),
  /** The same in a sentence. */
  text: z.string(),
  /** A message of the pattern; null for other fields. */
  sample: z.string().nullable(),
  /** Finds the records of the pattern, with the environment and a window; null for other fields. */
  query: z.string().nullable(),
})

export const compareAnswer = z.object({
  window: usedWindow,
  baseWindow: usedWindow,
  /** The environment that was asked for, or that of the deploy; null for all of them. */
  environment: z.string().nullable(),
  records: z.int(),
  baseRecords: z.int(),
  /** Fields were looked at in this many of the newest; patterns are counted in all records. */
  sampled: z.int(),
  baseSampled: z.int(),
  /** The most telling first. */
  differences: z.array(difference),
  /** Less telling ones that are left out. */
  otherDifferences: z.int(),
  warnings: z.array(warning),
  /** Why there are no differences; null when there are. */
  empty: z.string().nullable(),
})

export type CompareInput = z.infer<typeof compareInput>
export type CompareAnswer = z.infer<typeof compareAnswer>
export type Difference = z.infer<typeof difference>
export type Change = (typeof CHANGES)[number]
