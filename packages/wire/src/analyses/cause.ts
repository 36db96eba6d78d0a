/** What an analysis says about why it happened. Times are RFC 3339, UTC. All names in it were chosen by senders or committers. */
import { z } from 'zod'

const CAUSE_KINDS = [
  'deploy',
  'commit',
  'configuration',
  'dependency',
  'environment',
  'data',
  'load',
  'unknown',
] as const

export const confidence = z.enum(['high', 'medium', 'low'])

/**
 * What caused the errors, as far as is known. `commit`: no deploy was recorded, so it is the commit itself. `dependency`:
 * something that is called. `environment`: the machine, a certificate, a secret. `data`: the values of one sender, tenant,
 * country. `unknown`: nothing that changed explains it.
 */
export const likelyCause = z.object({
  kind: z.enum(CAUSE_KINDS),
  title: z.string(),
  /** When it changed; null when nothing is known to have. */
  at: z.string().nullable(),
  deployId: z.string().nullable(),
  sha: z.string().nullable(),
  /** The first suspect among the commits that the deploy brought. */
  commit: z
    .object({
      sha: z.string(),
      title: z.string(),
      author: z.string(),
      file: z.string(),
      line: z.int().nullable(),
    })
    .nullable(),
  confidence,
  evidenceFor: z.array(z.string()),
  evidenceAgainst: z.array(z.string()),
  /** What else was weighed, the likeliest first, and why it is not the answer. */
  rivals: z.array(z.object({ kind: z.enum(CAUSE_KINDS), title: z.string(), reason: z.string() })),
})

/** Where the cause is one fact among others: what it is, without the evidence. */
export const briefCause = likelyCause.pick({ kind: true, title: true, deployId: true, confidence: true })

export function inBrief({ kind, title, deployId, confidence }: BriefCause): BriefCause {
  return { kind, title, deployId, confidence }
}

/** A commit that may have caused the errors. */
export const suspect = z.object({
  sha: z.string(),
  title: z.string(),
  author: z.string(),
  committedAt: z.string(),
  /** The deploy that brought it; null when none was recorded. */
  deployId: z.string().nullable(),
  file: z.string(),
  line: z.int().nullable(),
  /** What it did, in words that follow the commit's name. */
  reason: z.string(),
})

/** A value that errors have far more often than the other records of the same service around that time. */
export const standout = z.object({
  field: z.string(),
  value: z.string(),
  /** Errors with the value, of those that have the field. */
  errors: z.int(),
  errorsWithField: z.int(),
  /** Other records with the value, of those that have the field. */
  others: z.int(),
  othersWithField: z.int(),
  /** Not all records were looked at. */
  isSampled: z.boolean(),
  text: z.string(),
  /** A search for the errors that have it. */
  query: z.string(),
})

/** How the current episode went. */
export const course = z.object({
  /** Where the rate left its base: the first error where there were none before. */
  onset: z.string(),
  /** Errors per hour before the onset. */
  basePerHour: z.number(),
  /** Since the onset. */
  count: z.int(),
  peak: z.object({ from: z.string(), to: z.string(), count: z.int() }),
  /** The last error, once it has been silent for several of its usual gaps. */
  end: z.string().nullable(),
  /** The deploy with which it ended; null when it goes on, or ended without one. */
  endedWith: z.object({ deployId: z.string(), sha: z.string(), isRollback: z.boolean() }).nullable(),
  /** The same in a sentence. */
  text: z.string(),
})

const ACTIVITIES = ['active', 'quiet'] as const
export const activity = z.enum(ACTIVITIES)

export type CauseKind = (typeof CAUSE_KINDS)[number]
export type LikelyCause = z.infer<typeof likelyCause>
export type BriefCause = z.infer<typeof briefCause>
export type SuspectView = z.infer<typeof suspect>
export type Standout = z.infer<typeof standout>
export type CourseView = z.infer<typeof course>
export type Activity = (typeof ACTIVITIES)[number]
