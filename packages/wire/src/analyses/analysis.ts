/** Analyses as every door shows them: groups of similar errors, with what is known of each. Times are RFC 3339, UTC. */
import { z } from 'zod'
import { deploy, deployCommits } from '../deploys/deploy.ts'
import {
  MAX_ANALYSES_QUERY_CHARACTERS,
  MAX_CHANGED_AT_ONCE,
  MAX_CURSOR_CHARACTERS,
  MAX_ID_CHARACTERS,
  MAX_LIMIT,
  MAX_NAME_CHARACTERS,
} from '../limits.ts'
import { DEFAULT_LIMIT, usedWindow, warning, windowInput } from '../reading/question.ts'
import { logRow } from '../reading/row.ts'
import { ANALYSIS_STATES, EPISODE_BEGINNINGS } from './analysis-state.ts'
import { activity, confidence, course, likelyCause, standout, suspect } from './cause.ts'
import { briefNotes, discussion } from './notes.ts'
import { sourceExcerpt } from './source.ts'

const analysisState = z.enum(ANALYSIS_STATES)

/** What people do to an analysis. */
const ANALYSIS_ACTIONS = ['resolve', 'ignore', 'reopen'] as const

export const ANALYSIS_SORTS = ['rank', 'lastSeen', 'firstSeen', 'count'] as const

export const ANALYSIS_PARTS = [
  'deploy',
  'rates',
  'trend',
  'stack',
  'source',
  'samples',
  'before',
  'affected',
  'episodes',
] as const

/** What ran when the error began. `inferred`: no deploy was recorded; it is the default branch's commit then. */
const correlatedDeploy = z.object({
  source: z.enum(['recorded', 'inferred']),
  deployId: z.string().nullable(),
  sha: z.string(),
  ref: z.string().nullable(),
  environment: z.string(),
  /** Null when inferred. */
  deployedAt: z.string().nullable(),
  /** Null when recorded. */
  committedAt: z.string().nullable(),
  /** From the deploy, or the commit, to the first error of the episode. */
  elapsedSeconds: z.number(),
  confidence,
  evidenceFor: z.array(z.string()),
  evidenceAgainst: z.array(z.string()),
  warning: z.string().nullable(),
  message: z.string().nullable(),
  author: z.string().nullable(),
  /** The CI run. */
  url: z.string().nullable(),
})

export const analysisItem = z.object({
  id: z.string(),
  title: z.string(),
  /** The exception's type; empty for errors that have none. */
  type: z.string(),
  state: analysisState,
  /** `quiet`: silent for several of its usual gaps, whatever its state. */
  activity,
  environment: z.string(),
  service: z.string(),
  level: z.string(),
  count: z.int(),
  firstSeen: z.string(),
  lastSeen: z.string(),
  /** When the current episode began: what the correlated deploy is counted from. */
  anchor: z.string(),
  /** When the errors began to be many: later than `anchor` where few of them grew. */
  onset: z.string(),
  /** The top frame of the program itself, as `function (file)`; empty when unknown. */
  where: z.string(),
  summary: z.string(),
  likelyCause,
  correlatedDeploy: correlatedDeploy.nullable(),
  /** Why there is no correlated deploy; null when there is one. */
  correlatedDeployReason: z.string().nullable(),
  /** Occurrences inside the window of the list, in equal parts, oldest first; empty when not asked for. */
  trend: z.array(z.int()),
  /** Why it is at this place in the list. */
  rankReason: z.string(),
  /** What people noted about it; null when nobody did. */
  notes: briefNotes.nullable(),
})

export const analysesInput = windowInput.extend({
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).optional(),
  cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional(),
  /** Words, or a quoted phrase, that must all appear in title, type, place, messages or stack; case does not count. */
  query: z.string().max(MAX_ANALYSES_QUERY_CHARACTERS).optional(),
  service: z.string().max(MAX_NAME_CHARACTERS).optional(),
  /** Without it those that are open (regressed, new, ongoing); with `introducedBy`, all. */
  state: analysisState.optional(),
  /** A deploy: analyses that began while it ran, or because of it. */
  introducedBy: z.string().max(MAX_ID_CHARACTERS).optional(),
  sort: z.enum(ANALYSIS_SORTS).optional(),
})

export const analysesAnswer = z.object({
  window: usedWindow,
  analyses: z.array(analysisItem),
  nextCursor: z.string().nullable(),
  /** How many of each state there are in the window, whatever `state` was asked for. */
  states: z.record(z.string(), z.int()),
  warnings: z.array(warning),
  empty: z.string().nullable(),
})

/** `GET …/analyses/matching`, for people: which analyses a list is of, whatever page. At most `MAX_CHOSEN`, those seen last. */
export const matchingAnalysesInput = analysesInput.omit({ limit: true, cursor: true, sort: true })
export const matchingAnalysesAnswer = z.object({
  analyses: z.array(z.object({ id: z.string(), state: analysisState })),
  /** Also of those that are not named. */
  total: z.int(),
})

/** A sentence of the summary and what it rests on. */
const summarySentence = z.object({
  text: z.string(),
  evidence: z.enum([
    'cause',
    'occurrences',
    'deploy',
    'rates',
    'failedDeploys',
    'affected',
    'before',
    'stack',
    'repository',
  ]),
  /** A search that shows the records behind it; null when it rests on no records. */
  query: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
})

const stackFrame = z.object({
  function: z.string(),
  file: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  inApp: z.boolean(),
})

const valueCount = z.object({ value: z.string(), count: z.int() })

/** Errors of this analysis per hour in equal spans around the deploy. Both windows hold the numbers behind the rate. */
const rateWindow = z.object({
  from: z.string(),
  to: z.string(),
  errors: z.int(),
  /** All records of the environment in the same window. */
  records: z.int(),
  perHour: z.number(),
})

export const analysisDetail = analysisItem.extend({
  fingerprint: z.string(),
  /** How the errors were grouped, in a sentence. */
  grouping: z.string(),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
  sentences: z.array(summarySentence),
  course,
  /** Best first. Empty when no commit touches anything near: then `suspectsReason` says so, or why none could be looked at. */
  suspects: z.array(suspect),
  suspectsReason: z.string().nullable(),
  /** The most telling first. */
  standouts: z.array(standout),
  correlatedDeploy: correlatedDeploy
    .extend({
      /** True when it took an older revision back into use. */
      isRollback: z.literal(true).optional(),
      /** Null when no repository is connected, and where it is inferred. */
      commits: deployCommits.nullable(),
    })
    .nullable(),
  previousDeploy: deploy.nullable(),
  /** Failed and cancelled deploys in the same environment within the hour before the anchor, newest first. */
  failedDeploys: z.array(deploy),
  rates: z.object({ before: rateWindow, after: rateWindow, existedBefore: z.boolean() }).nullable(),
  /** Occurrences over time around the anchor, with the deploys of the environment inside. */
  occurrences: z.object({
    window: usedWindow,
    bucketSeconds: z.int(),
    buckets: z.array(z.object({ timestamp: z.string(), count: z.int() })),
    deploys: z.array(deploy),
  }),
  stack: z.array(z.object({ type: z.string(), message: z.string(), frames: z.array(stackFrame) })),
  rawStack: z.string(),
  /** True when `stack` is by source positions, read from source maps. `rawStack` is always as it was sent. */
  isSourceMapped: z.literal(true).optional(),
  /** Around the most telling frames; empty without a connected repository that has their files. */
  source: z.array(sourceExcerpt),
  /** How many different values of `field` its errors of this episode have; beyond some thousands estimated. Left out where they name nobody. */
  users: z.object({ field: z.string(), count: z.int() }).optional(),
  services: z.array(valueCount),
  hosts: z.array(valueCount),
  releases: z.array(valueCount),
  /** Newest first; empty once retention has passed over them. */
  samples: z.array(logRow),
  /** Records just before the newest sample, oldest first. */
  before: z.object({ by: z.enum(['trace', 'host', 'time']), rows: z.array(logRow) }).nullable(),
  /** Newest first. */
  episodes: z.array(
    z.object({
      anchor: z.string(),
      lastSeen: z.string(),
      count: z.int(),
      /** What made it a new episode. */
      began: z.enum(EPISODE_BEGINNINGS),
    }),
  ),
  /** A search for all of its records. */
  recordsQuery: z.string(),
  stateChangedAt: z.string().nullable(),
  stateChangedBy: z.string().nullable(),
  /** What `notes` says in brief, with who wrote it and when; null when nobody noted anything. */
  discussion: discussion.nullable(),
})

export const analysisInput = z.object({
  id: z.string().max(MAX_ID_CHARACTERS),
  include: z.array(z.enum(ANALYSIS_PARTS)).max(ANALYSIS_PARTS.length).optional(),
})
export const analysisAnswer = z.object({ analysis: analysisDetail, url: z.string() })

/** `POST …/analyses/:analysisId/state`, for members and owners in the dashboard. */
export const changeAnalysisInput = z.object({ action: z.enum(ANALYSIS_ACTIONS) })

/** `POST …/analyses/changes`: many at once, all or none. `personId`: who looks after them; null for nobody. */
export const changeAnalysesInput = z.object({
  ids: z.array(z.string().max(MAX_ID_CHARACTERS)).min(1).max(MAX_CHANGED_AT_ONCE),
  action: z.enum(ANALYSIS_ACTIONS).optional(),
  personId: z.string().max(MAX_ID_CHARACTERS).nullable().optional(),
})

/** What one analysis can be split by. */
export const SPLIT_FIELDS = ['service', 'logger', 'host', 'pattern'] as const

const analysisId = z.string().max(MAX_ID_CHARACTERS)

/** How fingerprints become analyses. Rules apply to errors from now on; existing analyses are adjusted too. */
export const groupingRuleInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merge'), analysisId, intoAnalysisId: analysisId }),
  z.object({ kind: z.literal('split'), analysisId, by: z.enum(SPLIT_FIELDS) }),
  z.object({
    kind: z.literal('ignore'),
    type: z.string().max(MAX_NAME_CHARACTERS).optional(),
    service: z.string().max(MAX_NAME_CHARACTERS).optional(),
    /** Whole words that a title begins with, as it is written. Needs a service, and stands for the type. */
    titleBegins: z.string().max(MAX_NAME_CHARACTERS).optional(),
  }),
])
/** What a rule that ignores would catch of what is known: those that are not ignored yet, the largest first. */
const ignorePreview = z.object({
  analyses: z.int(),
  errors: z.int(),
  examples: z.array(z.object({ id: z.string(), title: z.string(), environment: z.string(), count: z.int() })),
})
export const groupingRule = z.object({
  id: z.string(),
  kind: z.enum(['merge', 'split', 'ignore']),
  /** What it does, in a sentence. */
  description: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  /** How many analyses it keeps ignored that were not before it; only of rules that ignore. */
  ignored: z.int().optional(),
})
/** `restore`: what the rule ignored has the state again that it had before. */
export const removeGroupingRuleInput = z.object({ restore: z.enum(['true', 'false']).default('false') })
/** Only what nobody changed since, and no other rule ignores. */
export const removedGroupingRule = z.object({ restored: z.int() })
export const groupingRulesAnswer = z.object({ rules: z.array(groupingRule) })

export type AnalysisPart = (typeof ANALYSIS_PARTS)[number]
export type AnalysisSort = (typeof ANALYSIS_SORTS)[number]
export type CorrelatedDeploy = z.infer<typeof correlatedDeploy>
export type AnalysisItem = z.infer<typeof analysisItem>
export type AnalysesInput = z.infer<typeof analysesInput>
export type AnalysesAnswer = z.infer<typeof analysesAnswer>
export type MatchingAnalysesInput = z.infer<typeof matchingAnalysesInput>
export type MatchingAnalysesAnswer = z.infer<typeof matchingAnalysesAnswer>
export type SummarySentence = z.infer<typeof summarySentence>
export type RateWindow = z.infer<typeof rateWindow>
export type AnalysisDetail = z.infer<typeof analysisDetail>
export type AnalysisInput = z.infer<typeof analysisInput>
export type AnalysisAnswer = z.infer<typeof analysisAnswer>
export type ChangeAnalysisInput = z.infer<typeof changeAnalysisInput>
export type IgnorePreview = z.infer<typeof ignorePreview>
export type GroupingRuleInput = z.infer<typeof groupingRuleInput>
export type GroupingRuleView = z.infer<typeof groupingRule>
export type RemovedGroupingRule = z.infer<typeof removedGroupingRule>
export type GroupingRulesAnswer = z.infer<typeof groupingRulesAnswer>
