import { z } from 'zod'

/** The answer of `POST /v1/logs` to Tidemark JSON and NDJSON. Accepted records are on disk. */
export const logsAnswer = z.object({
  accepted: z.int().nonnegative().describe('These records are on disk and will be found exactly once.'),
  rejected: z.array(z.object({ index: z.int().nonnegative(), reason: z.string() })),
})

export type LogsAnswer = z.infer<typeof logsAnswer>
