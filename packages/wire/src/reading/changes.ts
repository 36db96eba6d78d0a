/** What changed before a moment, or before the errors of an analysis. Times are RFC 3339, UTC. All names in it are a stranger's text. */
import { z } from 'zod'
import { briefCause } from '../analyses/cause.ts'
import { deployStatus } from '../deploys/deploy.ts'
import { VERDICTS } from '../deploys/deploy-status.ts'
import { MAX_DURATION_CHARACTERS, MAX_ID_CHARACTERS, MAX_LIMIT } from '../limits.ts'
import { usedWindow, warning, windowInput } from './question.ts'

/** A moment or an analysis; without either, now. */
export const changesInput = z.object({
  environment: windowInput.shape.environment,
  /** Takes the whole time grammar. */
  at: windowInput.shape.from,
  analysisId: z.string().max(MAX_ID_CHARACTERS).optional(),
  /** A length of time such as `24h`. */
  lookback: z.string().max(MAX_DURATION_CHARACTERS).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
})

/**
 * `version`: another release than before in the records, without a deploy of it. `errors`: an analysis that began, or errors
 * that rose. Causes that are not changes themselves come only with an analysis.
 */
const CHANGE_KINDS = [
  'deploy',
  'commit',
  'configuration',
  'version',
  'pattern',
  'service',
  'host',
  'volume',
  'errors',
  'dependency',
  'environment',
  'data',
  'load',
] as const

/** A change of such a score stands out. A known cause of an analysis has at least this, however unsure it is. */
export const LIKELY_SCORE = 0.6

export const change = z.object({
  kind: z.enum(CHANGE_KINDS),
  timestamp: z.string(),
  title: z.string(),
  /** From the change to the moment, or to the onset of the analysis. Negative for a deploy that was recorded later. */
  elapsedSeconds: z.number(),
  /** 0 to 1, to be compared with the others of the same answer. */
  score: z.number(),
  /** In one sentence, with its numbers. */
  reason: z.string(),
  /** With an analysis: whether it is its likely cause, or was weighed as one. */
  role: z.enum(['cause', 'rival']).nullable(),
  /** Null where several were looked at together. */
  environment: z.string().nullable(),
  service: z.string().nullable(),
  deployId: z.string().nullable(),
  /** Of the deploy or of the commit. */
  sha: z.string().nullable(),
  status: deployStatus.nullable(),
  /** Of a deploy; null where it was not asked for, and for one that never went live. */
  verdict: z.enum(VERDICTS).nullable(),
  analysisId: z.string().nullable(),
  /** Of a setting or a version: its name, and its value before and since. */
  name: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Finds its records, with the environment and the window. */
  query: z.string().nullable(),
})

export const changesAnswer = z.object({
  /** The moment: as asked for, or when the errors of the analysis began. */
  at: z.string(),
  window: usedWindow,
  /** The one asked for, or that of the analysis; null for all of them. */
  environment: z.string().nullable(),
  /** Of the analysis; null without one. */
  likelyCause: briefCause.nullable(),
  /** The best first. */
  changes: z.array(change),
  /** Less likely ones that did not fit into the limit. */
  otherChanges: z.int(),
  warnings: z.array(warning),
  /** Why there are none; null when there are. */
  empty: z.string().nullable(),
})

export type ChangesInput = z.infer<typeof changesInput>
export type ChangesAnswer = z.infer<typeof changesAnswer>
export type ChangeView = z.infer<typeof change>
export type ChangeKind = (typeof CHANGE_KINDS)[number]
