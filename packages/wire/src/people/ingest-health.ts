/** `GET /api/projects/:projectId/ingest-health`: what came with each ingest key and what was refused, for owners and members. */
import { z } from 'zod'
import { INGEST_REFUSALS } from './ingest-refusal.ts'
import { KEY_STATES } from './key-kind.ts'

/** Of whole hours, the current one included: up to an hour less than the name says. */
const amounts = z.object({ lastDay: z.int(), lastWeek: z.int() })

const keyHealth = z.object({
  id: z.string(),
  name: z.string(),
  lastFour: z.string(),
  /** When it was answered. */
  state: z.enum(KEY_STATES),
  /** When records were last stored; null when none were in the last week. Up to ten seconds behind on other nodes. */
  lastReceivedAt: z.string().nullable(),
  records: amounts,
  refused: z.array(
    z.object({
      reason: z.enum(INGEST_REFUSALS),
      /** Requests; where `reason` is `records`, records of requests whose others were stored. */
      count: amounts,
      lastAt: z.string(),
    }),
  ),
})

/** Keys that still can send and those that tried to, newest first. */
export const ingestHealthAnswer = z.object({ keys: z.array(keyHealth) })

export type KeyHealth = z.infer<typeof keyHealth>
export type IngestHealthAnswer = z.infer<typeof ingestHealthAnswer>
