import { z } from 'zod'

/** Every error of every HTTP endpoint. `message` says what to do; `fields` names every field that is not valid. */
export const errorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    requestId: z.string(),
  }),
})

export type ErrorAnswer = z.infer<typeof errorAnswer>
