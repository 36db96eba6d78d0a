/** Lines of the connected repository around a frame of a stack. Anyone who can commit may have written them. */
import { z } from 'zod'

const sourceLine = z.object({
  /** In the file as it was in that revision; null for a line that a suspect commit removed. */
  number: z.int().nullable(),
  text: z.string(),
  change: z.enum(['none', 'added', 'removed']),
  /** The suspect commit that added or removed it. */
  sha: z.string().nullable(),
})

/** A few lines around the line of one frame, with what the suspect commits changed in them. */
export const sourceExcerpt = z.object({
  /** The revision that the stack is of. */
  sha: z.string(),
  file: z.string(),
  /** The line and the function of the frame. */
  line: z.int(),
  function: z.string(),
  lines: z.array(sourceLine),
})

export type SourceLine = z.infer<typeof sourceLine>
export type SourceExcerpt = z.infer<typeof sourceExcerpt>
