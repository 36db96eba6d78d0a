/** What agents asked with the keys of a project, under `/api/projects/:projectId/calls`, for its owners and members. */
import { z } from 'zod'
import { MAX_ID_CHARACTERS, MAX_LIMIT } from '../limits.ts'

/** `before` is the id of the last call of the page before. `name` is as in the answers. */
export const callsInput = z.object({
  keyId: z.string().max(MAX_ID_CHARACTERS).optional(),
  name: z.string().max(64).optional(),
  errors: z.enum(['only']).optional(),
  before: z.string().max(MAX_ID_CHARACTERS).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
})

const call = z.object({
  id: z.string(),
  keyId: z.string(),
  at: z.string(),
  /** `tools/call`, `resources/read`, `prompts/get` or `completion/complete`. */
  method: z.string(),
  /** Of the tool, the prompt, the guide or the template; null when there is none of the name that was asked for. */
  name: z.string().nullable(),
  /** Names only: values are never kept. */
  arguments: z.array(z.string()),
  durationMs: z.int(),
  /** Entries in the answer's own lists; null when it has none. */
  rows: z.int().nullable(),
  bytes: z.int(),
  /** Of the larger form of the answer, estimated as for `maxTokens`. */
  tokens: z.int(),
  /** A code of the service, or `cancelled` when the client left before the answer. */
  error: z.string().nullable(),
})

/** Newest first. */
const callsAnswer = z.object({ calls: z.array(call), nextBefore: z.string().nullable() })

const callsOfKey = z.object({
  keyId: z.string(),
  lastCallAt: z.string(),
  lastDay: z.object({ calls: z.int(), errors: z.int() }),
  lastWeek: z.object({ calls: z.int(), errors: z.int(), p95Ms: z.int().nullable() }),
  /** Older calls were forgotten because there were too many; null when everything of the last week is there. */
  cutBefore: z.string().nullable(),
})

/** `GET …/calls/by-key`: the keys that called at all, most recent caller first, and every name to filter by. */
const callsByKeyAnswer = z.object({ keys: z.array(callsOfKey), names: z.array(z.string()) })

export type Call = z.infer<typeof call>
export type CallsInput = z.infer<typeof callsInput>
export type CallsAnswer = z.infer<typeof callsAnswer>
export type CallsOfKey = z.infer<typeof callsOfKey>
export type CallsByKeyAnswer = z.infer<typeof callsByKeyAnswer>
