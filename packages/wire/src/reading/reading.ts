/** Input and output of the reading verbs, the same for every door. Times are RFC 3339 in UTC, windows `[from, to)`. */

import { z } from 'zod'
import { deploy, deployCommits, deployStatus } from '../deploys/deploy.ts'
import { deployAnalyses, deployPatterns, deployVerdict } from '../deploys/verdict.ts'
import { MAX_CURSOR_CHARACTERS, MAX_ID_CHARACTERS, MAX_LIMIT, MAX_NAME_CHARACTERS, MAX_NEIGHBOURS } from '../limits.ts'
import { retentionRule } from '../project.ts'
import { MEASURES } from './measure.ts'

export const DEFAULT_LIMIT = 50

/** Times take the whole time grammar (`-24h`, `now-90m`, RFC 3339, epoch, `deploy:latest-15m` …). */
export const windowInput = z.object({
  environment: z.string().max(MAX_NAME_CHARACTERS).optional(),
  from: z.string().max(64).optional(),
  to: z.string().max(64).optional(),
})

/** The shorthands (`service`, `level`, `traceId`) are further terms beside `query`. */
export const filterInput = windowInput.extend({
  query: z.string().optional(),
  service: z.string().max(MAX_NAME_CHARACTERS).optional(),
  level: z.string().max(20).optional(),
  traceId: z.string().max(MAX_NAME_CHARACTERS).optional(),
})

const page = {
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
  cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional(),
}

export const searchInput = filterInput.extend({
  ...page,
  order: z.enum(['newest', 'oldest']).optional(),
  /** Only its records; without a `from`, all that are kept. */
  analysisId: z.string().max(MAX_ID_CHARACTERS).optional(),
  /** Only its environment, from the deploy until the next one there that succeeded. */
  deployId: z.string().max(MAX_ID_CHARACTERS).optional(),
})

export const logRow = z.object({
  kind: z.literal('log'),
  id: z.string(),
  timestamp: z.string(),
  level: z.string(),
  environment: z.string(),
  environmentDefaulted: z.boolean(),
  service: z.string(),
  host: z.string(),
  logger: z.string(),
  release: z.string(),
  message: z.string(),
  truncated: z.boolean(),
  error: z.object({ type: z.string(), message: z.string(), stack: z.string() }).nullable(),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  traceId: z.string(),
  spanId: z.string(),
  pattern: z.string(),
  fingerprint: z.string().nullable(),
  analysisId: z.string().nullable(),
})

export const deployRow = z.object({
  kind: z.literal('deploy'),
  id: z.string(),
  timestamp: z.string(),
  environment: z.string(),
  sha: z.string(),
  ref: z.string().nullable(),
  status: z.string(),
  author: z.string().nullable(),
  message: z.string().nullable(),
  url: z.string().nullable(),
})

export const usedWindow = z.object({ from: z.string(), to: z.string() })
/** `suggestions`: what could stand in place of what is between `from` and `to`. */
export const warning = z.object({
  message: z.string(),
  from: z.int().optional(),
  to: z.int().optional(),
  suggestions: z.array(z.string()).optional(),
})

export const searchAnswer = z.object({
  window: usedWindow,
  /** In the order asked for; deploys appear between the records at their time. */
  rows: z.array(z.discriminatedUnion('kind', [logRow, deployRow])),
  nextCursor: z.string().nullable(),
  warnings: z.array(warning),
  /** Why there are no records, and where there are some; null when there are. */
  empty: z.string().nullable(),
})

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

export const contextInput = z.object({
  id: z.string().max(MAX_ID_CHARACTERS),
  before: z.int().min(0).max(MAX_NEIGHBOURS).optional(),
  after: z.int().min(0).max(MAX_NEIGHBOURS).optional(),
  by: z.enum(['time', 'trace', 'host']).optional(),
})

export const contextAnswer = z.object({
  record: logRow,
  /** Oldest first, ending just before the record. */
  before: z.array(logRow),
  /** Oldest first, beginning just after the record. */
  after: z.array(logRow),
  /** The succeeded deploy that was running in the record's environment at its time. */
  deploy: deployRow.extend({ elapsedSeconds: z.number() }).nullable(),
})

export const deploysInput = windowInput.extend({
  ...page,
  status: deployStatus.optional(),
  sha: z.string().max(MAX_NAME_CHARACTERS).optional(),
})
/** `introduced`: how many analyses were first seen while it ran, or because of it. */
export const listedDeploy = deploy.extend({ ...deployVerdict.shape, introduced: z.int() })
export const deploysAnswer = z.object({
  window: usedWindow,
  deploys: z.array(listedDeploy),
  nextCursor: z.string().nullable(),
  warnings: z.array(warning),
  empty: z.string().nullable(),
})

export const deployDetailInput = z.object({
  id: z.string().max(MAX_ID_CHARACTERS),
  /** With an id of a deploy it must be its own. */
  environment: z.string().max(MAX_NAME_CHARACTERS).optional(),
})

export const deployDetailAnswer = z.object({
  deploy,
  /** The one that ran before it in the same environment. */
  previousDeploy: deploy.nullable(),
  ...deployVerdict.shape,
  ...deployAnalyses,
  ...deployPatterns,
  /** Null when no repository is connected. */
  commits: deployCommits.nullable(),
  warnings: z.array(warning),
  url: z.string(),
})

export const projectAnswer = z.object({
  id: z.string(),
  name: z.string(),
  environments: z.array(z.string()),
  services: z.array(z.string()),
  /** In days, for records that none of the rules applies to; of several rules the first one counts. */
  retentionDays: z.int(),
  retentionRules: z.array(retentionRule),
  lastLogAt: z.string().nullable(),
  lastDeploy: deploy.nullable(),
  repository: z.object({ url: z.string(), branch: z.string() }).nullable(),
})

export type WindowInput = z.infer<typeof windowInput>
export type FilterInput = z.infer<typeof filterInput>
export type SearchInput = z.infer<typeof searchInput>
export type SearchAnswer = z.infer<typeof searchAnswer>
export type LogRow = z.infer<typeof logRow>
export type DeployRow = z.infer<typeof deployRow>
export type CountInput = z.infer<typeof countInput>
export type CountAnswer = z.infer<typeof countAnswer>
export type FieldsInput = z.infer<typeof fieldsInput>
export type FieldsAnswer = z.infer<typeof fieldsAnswer>
export type ContextInput = z.infer<typeof contextInput>
export type ContextAnswer = z.infer<typeof contextAnswer>
export type DeploysInput = z.infer<typeof deploysInput>
export type ListedDeploy = z.infer<typeof listedDeploy>
export type DeploysAnswer = z.infer<typeof deploysAnswer>
export type DeployDetailInput = z.infer<typeof deployDetailInput>
export type DeployDetailAnswer = z.infer<typeof deployDetailAnswer>
export type ProjectAnswer = z.infer<typeof projectAnswer>
export type Warning = z.infer<typeof warning>
