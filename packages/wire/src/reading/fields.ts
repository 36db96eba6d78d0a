/** The question which fields records have, and which values. */
import { z } from 'zod'
import { MAX_LIMIT } from '../limits.ts'
import { filterInput, usedWindow, warning } from './question.ts'

export const fieldsInput = filterInput.extend({
  /** The values of this field. */
  name: z.string().max(128).optional(),
  /** Fields, or values of `name`, that begin with this. */
  prefix: z.string().max(128).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
})

export const fieldsAnswer = z.object({
  window: usedWindow,
  fields: z.array(
    z.object({
      name: z.string(),
      /** `field` for one of ours, `attribute` for the sender's. */
      kind: z.enum(['field', 'attribute']),
      type: z.enum(['text', 'number', 'boolean', 'mixed']),
      /** Share of the looked-at records that have it, 0 to 1. */
      coverage: z.number(),
      values: z.array(z.object({ value: z.string(), count: z.int() })),
      /** Of the numbers among the values, when one attribute is asked for without a prefix. */
      numbers: z
        .object({
          count: z.int(),
          min: z.number(),
          p50: z.number(),
          p95: z.number(),
          p99: z.number(),
          max: z.number(),
        })
        .optional(),
    }),
  ),
  /** How many records were looked at for coverage and values: the newest of the window. */
  sampled: z.int(),
  warnings: z.array(warning),
  empty: z.string().nullable(),
})

export type FieldsInput = z.infer<typeof fieldsInput>
export type FieldsAnswer = z.infer<typeof fieldsAnswer>
