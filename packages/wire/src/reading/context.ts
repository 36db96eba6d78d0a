/** The question what was logged around a record, and what was running then. */
import { z } from 'zod'
import { MAX_ID_CHARACTERS, MAX_NEIGHBOURS } from '../limits.ts'
import { deployRow, logRow } from './row.ts'

export const contextInput = z.object({
  id: z.string().max(MAX_ID_CHARACTERS),
  before: z.int().min(0).max(MAX_NEIGHBOURS).optional(),
  after: z.int().min(0).max(MAX_NEIGHBOURS).optional(),
  by: z.enum(['time', 'trace', 'host']).optional(),
})

export const contextAnswer = z.object({
  record: logRow,
  /** Oldest first, ending just before the record. */
  before: z.array(logRow),
  /** Oldest first, beginning just after the record. */
  after: z.array(logRow),
  /** The succeeded deploy that was running in the record's environment at its time. */
  deploy: deployRow.extend({ elapsedSeconds: z.number() }).nullable(),
})

export type ContextInput = z.infer<typeof contextInput>
export type ContextAnswer = z.infer<typeof contextAnswer>
