/** Whether a deploy did harm, as every door says it. Times are RFC 3339, UTC. */
import { z } from 'zod'
import { ANALYSIS_STATES, EPISODE_BEGINNINGS } from '../analyses/analysis-state.ts'
import { briefCause } from '../analyses/cause.ts'
import { MAX_DURATION_CHARACTERS, MAX_ID_CHARACTERS, MAX_NAME_CHARACTERS } from '../limits.ts'
import { deploy } from './deploy.ts'
import { VERDICTS } from './deploy-status.ts'

const counts = z.object({
  from: z.string(),
  to: z.string(),
  /** Of the deploy's environment. */
  records: z.int(),
  /** Of level error or fatal. */
  errors: z.int(),
})

/** `after` ends earlier where the deploy is younger, or another one replaced it. */
const verdictWindow = z.object({ minutes: z.int(), before: counts, after: counts })

export const deployVerdict = z.object({
  /** `too_early`: too little was seen to tell. Null for a deploy that failed or was cancelled: it never went live. */
  verdict: z.enum(VERDICTS).nullable(),
  /** The most telling first, each with its numbers. They name titles, services and commits, which are a stranger's text. */
  reasons: z.array(z.string()),
  /** The widest of the windows. Null where nothing is known of the records. */
  before: counts.nullable(),
  after: counts.nullable(),
  /** 5, 15 and 60 minutes; none where nothing is known of the records. */
  windows: z.array(verdictWindow),
  /** While it is too early: when a verdict is expected, at the rate of records so far. Null when that will never be. */
  checkAgainAt: z.string().nullable(),
})

const BEGINNINGS = [...EPISODE_BEGINNINGS, 'grew'] as const

/** An analysis in the time of a deploy. */
export const deployAnalysis = z.object({
  id: z.string(),
  title: z.string(),
  environment: z.string(),
  service: z.string(),
  level: z.string(),
  state: z.enum(ANALYSIS_STATES),
  /** New, back after it was resolved or quiet, or known before and more frequent since. */
  began: z.enum(BEGINNINGS),
  /** When it began, or began to grow. */
  onset: z.string(),
  /** Since then, in that episode. */
  count: z.int(),
  /** When it ended; null while it goes on. */
  end: z.string().nullable(),
  likelyCause: briefCause.nullable(),
  /** Its likely cause is this deploy. */
  countsAgainst: z.boolean(),
})

/** What a deploy changed among the analyses of its environment. */
export const deployAnalyses = {
  /** First seen while it ran, or because of it. */
  introduced: z.array(deployAnalysis),
  /** Known before, and came back or grew: wider than the state of this name, which is of those that came back. */
  regressed: z.array(deployAnalysis),
  /** Ended with it. */
  gone: z.array(deployAnalysis),
}

/** All texts in it were chosen by senders. */
const deployPattern = z.object({
  /** `<*>` stands for what varies. */
  pattern: z.string(),
  /** Records after the deploy of one that is new, before it of one that is gone: as long as it ran, an hour at most. */
  count: z.int(),
  levels: z.array(z.string()),
  services: z.array(z.string()),
  /** Finds its records in the environment of the deploy; null when none can. */
  query: z.string().nullable(),
})

/** What the records of its environment say only since a deploy, and no longer say, in the order of lists of patterns. */
export const deployPatterns = { newPatterns: z.array(deployPattern), gonePatterns: z.array(deployPattern) }

export const deployVerdictInput = z.object({
  id: z.string().max(MAX_ID_CHARACTERS),
  /** For `latest`; with an id of a deploy it must be its own. */
  environment: z.string().max(MAX_NAME_CHARACTERS).optional(),
  /** How long to wait while it is too early, such as `10m`. */
  wait: z.string().max(MAX_DURATION_CHARACTERS).optional(),
})

export const deployVerdictAnswer = deployVerdict.extend({
  deploy,
  url: z.string(),
  warnings: z.array(z.object({ message: z.string() })),
})

export type DeployVerdict = z.infer<typeof deployVerdict>
export type VerdictWindow = z.infer<typeof verdictWindow>
export type DeployAnalysis = z.infer<typeof deployAnalysis>
export type DeployPattern = z.infer<typeof deployPattern>
export type DeployVerdictInput = z.infer<typeof deployVerdictInput>
export type DeployVerdictAnswer = z.infer<typeof deployVerdictAnswer>
