/** A record and a deploy as rows of one list, the same for every door. */
import { z } from 'zod'

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

export type LogRow = z.infer<typeof logRow>
export type DeployRow = z.infer<typeof deployRow>
