/** What somebody types to jump somewhere: analyses by their words, deploys by revision, place or message. Quick and short. */
import { z } from 'zod'
import { ANALYSIS_STATES } from '../analyses/analysis-state.ts'
import { deployStatus } from '../deploys/deploy.ts'
import { MAX_ANALYSES_QUERY_CHARACTERS } from '../limits.ts'

export const findInput = z.object({ text: z.string().max(MAX_ANALYSES_QUERY_CHARACTERS) })

const findAnswer = z.object({
  analyses: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      state: z.enum(ANALYSIS_STATES),
      environment: z.string(),
      lastSeen: z.string(),
    }),
  ),
  deploys: z.array(
    z.object({
      id: z.string(),
      sha: z.string(),
      status: deployStatus,
      environment: z.string(),
      message: z.string().nullable(),
      deployedAt: z.string(),
    }),
  ),
})

export type FindInput = z.infer<typeof findInput>
export type FindAnswer = z.infer<typeof findAnswer>
