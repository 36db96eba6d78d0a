/** Projects as people see and manage them under `/api/projects`. */
import { z } from 'zod'
import { PROJECT_ROLES } from './people/role.ts'

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

/** `GET /api/projects/:projectId`. A null limit means the service's default; a null quota means none. */
export const projectSettingsAnswer = projectSummary.extend({
  defaultEnvironment: z.string(),
  retentionDays: z.int(),
  monthlyQuotaRecords: z.int().nullable(),
  maxBytesPerSecond: z.int().nullable(),
  maxRequestsPerSecond: z.int().nullable(),
  redaction: redactionSettings,
  /** Of the current UTC month, as `2026-11`. */
  usage: z.object({ month: z.string(), records: z.int(), bytes: z.int() }),
})

export const createProjectInput = z.object({ name: z.string() })
/** The only time the two secrets are shown. */
export const createdProjectAnswer = z.object({ project: projectSummary, ingestKey: z.string(), readKey: z.string() })

/** `PATCH /api/projects/:projectId`: what is left out keeps its value. */
export const changeProjectInput = z.object({
  name: z.string().optional(),
  defaultEnvironment: z.string().optional(),
  retentionDays: z.int().optional(),
  monthlyQuotaRecords: z.int().nullable().optional(),
  maxBytesPerSecond: z.int().nullable().optional(),
  maxRequestsPerSecond: z.int().nullable().optional(),
  redaction: redactionSettings.partial().optional(),
})

/** `GET …/retention/preview?retentionDays=14`: what that retention would delete, if it were saved now. */
export const retentionPreviewInput = z.object({ retentionDays: z.int() })
const retentionPreviewAnswer = z.object({
  retentionDays: z.int(),
  /** The first moment whose records stay. */
  keptSince: z.string(),
  /** Those before it, which would be deleted. */
  records: z.int(),
})

/** `POST …/redaction/preview`: with the project's rules, or with ones that are not saved yet. */
export const redactionPreviewInput = z.object({ text: z.string(), redaction: redactionSettings.partial().optional() })
const redactionPreviewAnswer = z.object({
  text: z.string(),
  redactions: z.record(z.string(), z.int()),
  /** What each rule has replaced in this project so far, most first. */
  counters: z.array(z.object({ rule: z.string(), redactions: z.int() })),
})

/** `GET …/first-signs`: whether anything has arrived yet, each by its own way. */
const firstSignsAnswer = z.object({ record: z.boolean(), deploy: z.boolean(), mcp: z.boolean() })

export type ProjectSummary = z.infer<typeof projectSummary>
export type RedactionSettings = z.infer<typeof redactionSettings>
export type ProjectSettingsAnswer = z.infer<typeof projectSettingsAnswer>
export type CreatedProjectAnswer = z.infer<typeof createdProjectAnswer>
export type ChangeProjectInput = z.infer<typeof changeProjectInput>
export type RetentionPreviewAnswer = z.infer<typeof retentionPreviewAnswer>
export type RedactionPreviewInput = z.infer<typeof redactionPreviewInput>
export type RedactionPreviewAnswer = z.infer<typeof redactionPreviewAnswer>
export type FirstSignsAnswer = z.infer<typeof firstSignsAnswer>
