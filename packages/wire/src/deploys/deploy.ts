import { z } from 'zod'
import { DEPLOY_STATUSES } from './deploy-status.ts'

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

/** A commit of the connected repository. All text in it was written by whoever can commit. */
const deployCommit = z.object({
  sha: z.string(),
  title: z.string(),
  author: z.string(),
  committedAt: z.string(),
  /** How many files it changed, and the first of them. A merge has none: what it brings is listed by itself. */
  files: z.int(),
  paths: z.array(z.string()),
})

const DEPLOY_STEPS = ['forward', 'rollback', 'same', 'diverged', 'first', 'unknown'] as const

/** What a deploy brought against the one it replaced. */
export const deployCommits = z.object({
  /**
   * `forward`: newer commits. `rollback`: a revision of before it; the commits are those it took back. `same`: the revision
   * that ran already. `diverged`: another line of history. `first`: nothing ran before. `unknown`: `summary` says why.
   */
  step: z.enum(DEPLOY_STEPS),
  summary: z.string(),
  /** Of the range; there may be more than are listed. */
  total: z.int(),
  /** Newest first. */
  commits: z.array(deployCommit),
})

/** The answer of `POST /v1/deploys`. */
export const deployAnswer = z.object({
  created: z.boolean().describe('False when an event with the same `externalId` was updated.'),
  deploy,
  previousDeploy: deploy.nullable().describe('The succeeded deploy before it in the same environment.'),
  url: z.string().describe('Its page in the dashboard.'),
})

export type Deploy = z.infer<typeof deploy>
export type DeployCommits = z.infer<typeof deployCommits>
export type DeployAnswer = z.infer<typeof deployAnswer>
