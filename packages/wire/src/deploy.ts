import { z } from 'zod'

export const DEPLOY_STATUSES = ['succeeded', 'failed', 'cancelled'] as const
export const deployStatus = z.enum(DEPLOY_STATUSES)

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
  created: z.boolean().describe('False when an event with the same `externalId` was updated.'),
  deploy,
  previousDeploy: deploy.nullable().describe('The succeeded deploy before it in the same environment.'),
  url: z.string().describe('Its page in the dashboard.'),
})

export type DeployStatus = z.infer<typeof deployStatus>
export type Deploy = z.infer<typeof deploy>
export type DeployAnswer = z.infer<typeof deployAnswer>
