/** The question how many records match, by field and by time, or what their values measure. */
import { z } from 'zod'
import { MAX_LIMIT } from '../limits.ts'
import { MEASURES } from './measure.ts'
import { filterInput, usedWindow, warning } from './question.ts'
import { deployRow } from './row.ts'

export const countInput = filterInput.extend({
  /**
   * Up to three fields; with `bucket` the first one splits the buckets. `pattern` counts messages by their text, with
   * `<*>` for what varies.
   */
  groupBy: z.array(z.string().max(128)).max(3).optional(),
  /** `1m`, `15m`, `1h`, `1d` …, or a number of buckets to aim for such as `60`. Without it there are no buckets. */
  bucket: z.string().max(16).optional(),
  /** The same question for the window before: `previous`. */
  compare: z.enum(['previous']).optional(),
  /** What groups and buckets are measured by, and ranked: different values of the field `of`, or its numbers. */
  measure: z.enum(MEASURES).optional(),
  of: z.string().max(128).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
})

export const countAnswer = z.object({
  window: usedWindow,
  total: z.int(),
  /** Of all records that match. Here and below only where a measure is asked for; null where there is no number. */
  measured: z.number().nullable().optional(),
  bucketSeconds: z.int().nullable(),
  /**
   * Every bucket of the window, empty ones too; `by` holds the counts per value of the first group, `measuredBy` what was
   * measured of the highest ones, and `measuredOthers` of all others together.
   */
  buckets: z.array(
    z.object({
      timestamp: z.string(),
      count: z.int(),
      by: z.record(z.string(), z.int()),
      measured: z.number().nullable().optional(),
      measuredBy: z.record(z.string(), z.number()).optional(),
      measuredOthers: z.number().nullable().optional(),
    }),
  ),
  /** Largest first, by what is measured. */
  groups: z.array(
    z.object({
      values: z.array(z.string().nullable()),
      count: z.int(),
      measured: z.number().nullable().optional(),
    }),
  ),
  /** Groups that did not fit into the limit. */
  otherGroups: z.int(),
  /** Inside the window, by the environment part of the query only. */
  deploys: z.array(deployRow),
  previous: z.object({ window: usedWindow, total: z.int() }).nullable(),
  warnings: z.array(warning),
  empty: z.string().nullable(),
})

export type CountInput = z.infer<typeof countInput>
export type CountAnswer = z.infer<typeof countAnswer>
