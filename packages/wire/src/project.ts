/** Projects as people see and manage them under `/api/projects`. */
import { z } from 'zod'
import { LEVELS } from './level.ts'
import { MAX_SENT_NAME_CHARACTERS } from './limits.ts'
import { PROJECT_ROLES } from './people/role.ts'

/** How many days of usage are shown. */
export const USAGE_DAYS = 30

export const projectRole = z.enum(PROJECT_ROLES)

export const projectSummary = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** The caller's own. */
  role: projectRole,
})

const redactionSettings = z.object({
  /** Names of built-in rules. */
  disabled: z.array(z.string()),
  /** Names of attributes whose values are always replaced. */
  fields: z.array(z.string()),
  rules: z.array(z.object({ name: z.string(), pattern: z.string() })),
})

/** See `RetentionRule`. */
export const retentionRule = z.object({
  levels: z.array(z.enum(LEVELS)).nullable(),
  service: z.string().nullable(),
  environment: z.string().nullable(),
  days: z.int(),
})

/** The same as people send it: what is left out may be anything. */
const retentionRuleInput = z.strictObject({
  levels: z.array(z.enum(LEVELS)).nullish(),
  service: z.string().nullish(),
  environment: z.string().nullish(),
  days: z.int(),
})

/** `GET /api/projects/:projectId`. A null limit means the service's default; a null quota means none. */
export const projectSettingsAnswer = projectSummary.extend({
  defaultEnvironment: z.string(),
  retentionDays: z.int(),
  /** For records that are kept longer or shorter; of several that apply the first one counts. */
  retentionRules: z.array(retentionRule),
  monthlyQuotaRecords: z.int().nullable(),
  maxBytesPerSecond: z.int().nullable(),
  maxRequestsPerSecond: z.int().nullable(),
  redaction: redactionSettings,
  /** Of the current UTC month, as `2026-11`. */
  usage: z.object({
    month: z.string(),
    records: z.int(),
    bytes: z.int(),
    /** The last `USAGE_DAYS` UTC days, today last, and none from before days were counted. */
    days: z.array(z.object({ day: z.string(), records: z.int(), bytes: z.int() })),
  }),
})

export const createProjectInput = z.object({ name: z.string().max(MAX_SENT_NAME_CHARACTERS) })
/** The only time the two secrets are shown. */
export const createdProjectAnswer = z.object({ project: projectSummary, ingestKey: z.string(), readKey: z.string() })

/** `PATCH /api/projects/:projectId`: what is left out keeps its value. */
export const changeProjectInput = z.object({
  name: z.string().max(MAX_SENT_NAME_CHARACTERS).optional(),
  defaultEnvironment: z.string().optional(),
  retentionDays: z.int().optional(),
  /** All of them: those that are not in the list are gone. */
  retentionRules: z.array(retentionRuleInput).optional(),
  monthlyQuotaRecords: z.int().nullable().optional(),
  maxBytesPerSecond: z.int().nullable().optional(),
  maxRequestsPerSecond: z.int().nullable().optional(),
  redaction: redactionSettings.partial().optional(),
})

/** `POST …/retention/preview`: what that retention would delete, if it were saved now. What is left out is as saved. */
export const retentionPreviewInput = changeProjectInput.pick({ retentionDays: true, retentionRules: true })
const retentionPreviewAnswer = z.object({
  /** All that would be deleted. */
  records: z.int(),
  /** For each rule in order, and last for the rest (no rule): the first moment whose records stay, and how many go. */
  past: z.array(z.object({ rule: retentionRule.nullable(), keptSince: z.string(), records: z.int() })),
})

/** `POST …/redaction/preview`: with the project's rules, or with ones that are not saved yet. */
export const redactionPreviewInput = z.object({ text: z.string(), redaction: redactionSettings.partial().optional() })
const redactionPreviewAnswer = z.object({
  text: z.string(),
  redactions: z.record(z.string(), z.int()),
  /** What each rule has redacted in this project so far, most first. */
  counters: z.array(z.object({ rule: z.string(), redactions: z.int() })),
})

/** `GET …/first-arrivals`: whether anything has arrived yet, each by its own way. */
const firstArrivalsAnswer = z.object({ record: z.boolean(), deploy: z.boolean(), mcp: z.boolean() })

export type ProjectSummary = z.infer<typeof projectSummary>
export type RedactionSettings = z.infer<typeof redactionSettings>
export type ProjectSettingsAnswer = z.infer<typeof projectSettingsAnswer>
export type CreatedProjectAnswer = z.infer<typeof createdProjectAnswer>
export type ChangeProjectInput = z.infer<typeof changeProjectInput>
export type RetentionPreviewInput = z.infer<typeof retentionPreviewInput>
export type RetentionPreviewAnswer = z.infer<typeof retentionPreviewAnswer>
export type RedactionPreviewInput = z.infer<typeof redactionPreviewInput>
export type RedactionPreviewAnswer = z.infer<typeof redactionPreviewAnswer>
export type FirstArrivalsAnswer = z.infer<typeof firstArrivalsAnswer>
