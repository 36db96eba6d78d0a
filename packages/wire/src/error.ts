import { z } from 'zod'

/** Every error of every HTTP endpoint. */
export const errorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string().describe('What is wrong and what to do.'),
    fields: z
      .array(z.object({ path: z.string(), message: z.string(), from: z.int().optional(), to: z.int().optional() }))
      .optional()
      .describe('Every field that is not valid, and where in its text if that is known.'),
    requestId: z.string().describe("The same id stands in the service's log."),
  }),
})

export type ErrorAnswer = z.infer<typeof errorAnswer>
