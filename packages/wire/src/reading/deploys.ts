/** The questions for deploys and for one of them, with their verdicts. */
import { z } from 'zod'
import { deploy, deployCommits, deployStatus } from '../deploys/deploy.ts'
import { deployAnalyses, deployPatterns, deployVerdict } from '../deploys/verdict.ts'
import { MAX_ID_CHARACTERS, MAX_NAME_CHARACTERS } from '../limits.ts'
import { page, usedWindow, warning, windowInput } from './question.ts'

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
  /** It took an older revision back into use: by the history of the connected repository, else by what ran before. */
  isRollback: z.boolean(),
  /** Null when no repository is connected. */
  commits: deployCommits.nullable(),
  warnings: z.array(warning),
  url: z.string(),
})

export type DeploysInput = z.infer<typeof deploysInput>
export type ListedDeploy = z.infer<typeof listedDeploy>
export type DeploysAnswer = z.infer<typeof deploysAnswer>
export type DeployDetailInput = z.infer<typeof deployDetailInput>
export type DeployDetailAnswer = z.infer<typeof deployDetailAnswer>
