import { z } from 'zod'

export const deployStatus = z.enum(['succeeded', 'failed', 'cancelled'])

/** A deploy as every door shows it. Times are RFC 3339 in UTC. */
export const deploy = z.object({
  id: z.string(),
  sha: z.string(),
  environment: z.string(),
  deployedAt: z.string(),
  status: deployStatus,
  ref: z.string().nullable(),
  message: z.string().nullable(),
  author: z.string().nullable(),
  externalId: z.string().nullable(),
  url: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

/** The answer of `POST /v1/deploys`. */
export const deployAnswer = z.object({
  /** False when an event with the same `externalId` was updated. */
  created: z.boolean(),
  deploy,
  previousDeploy: deploy.nullable(),
  url: z.string(),
})

export type Deploy = z.infer<typeof deploy>
export type DeployAnswer = z.infer<typeof deployAnswer>
