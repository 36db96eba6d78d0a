/** The fields that records have, and their values. */
import { z } from 'zod'
import { MAX_FIELD_NAME_CHARACTERS, MAX_LIMIT } from '../limits.ts'
import { filterInput, usedWindow, warning } from './question.ts'

export const fieldsInput = filterInput.extend({
  /** The values of this field. */
  name: z.string().max(MAX_FIELD_NAME_CHARACTERS).optional(),
  /** Fields, or values of `name`, that begin with this. */
  prefix: z.string().max(MAX_FIELD_NAME_CHARACTERS).optional(),
  /** Fields, or values of `name`, that contain this. */
  contains: z.string().max(MAX_FIELD_NAME_CHARACTERS).optional(),
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
      /** Share of the counted records that have it, 0 to 1. */
      coverage: z.number(),
      /** How many records were counted for coverage and values. Fewer than `total`: the newest ones. */
      sampled: z.int(),
      /** How many different values these have, also those beyond the limit. */
      distinct: z.int(),
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
  /** How many records match. Null where there are too many to count for a list of fields. */
  total: z.int().nullable(),
  /** How many records were searched for fields: the newest of the window, where there are very many. */
  sampled: z.int(),
  warnings: z.array(warning),
  empty: z.string().nullable(),
})

export type FieldsInput = z.infer<typeof fieldsInput>
export type FieldsAnswer = z.infer<typeof fieldsAnswer>
