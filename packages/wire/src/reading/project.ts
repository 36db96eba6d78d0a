/** The question what a project has: its environments, services, retention and newest things. */
import { z } from 'zod'
import { deploy } from '../deploys/deploy.ts'
import { retentionRule } from '../project.ts'

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
  /** `state` is a sentence: whether the service has a copy of it, since when, or why not. */
  repository: z.object({ url: z.string(), branch: z.string(), state: z.string() }).nullable(),
})

export type ProjectAnswer = z.infer<typeof projectAnswer>
