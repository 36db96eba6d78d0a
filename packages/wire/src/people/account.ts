/** People who sign in to the dashboard. Their session is a cookie; a change needs `X-Requested-With: tidemark` and JSON. */
import { z } from 'zod'
import {
  MAX_EMAIL_CHARACTERS,
  MAX_LIMIT,
  MAX_LINK_TOKEN_CHARACTERS,
  MAX_SENT_NAME_CHARACTERS,
  MAX_SENT_PASSWORD_CHARACTERS,
} from '../limits.ts'
import { projectSummary } from '../project.ts'
import { INSTANCE_ROLES } from './role.ts'

export const email = z.string().min(3).max(MAX_EMAIL_CHARACTERS)
export const personName = z.string().min(1).max(MAX_SENT_NAME_CHARACTERS)
export const password = z.string().max(MAX_SENT_PASSWORD_CHARACTERS)
export const linkToken = z.string().min(1).max(MAX_LINK_TOKEN_CHARACTERS)

const person = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(INSTANCE_ROLES),
  /** False for an owner who came by the printed link and has not chosen one yet. */
  hasPassword: z.boolean(),
})

/** `POST /api/session`. */
export const signInInput = z.object({ email, password })
/** `POST /api/session/owner-link`: what follows `#` in the printed link. */
export const ownerLinkInput = z.object({ token: linkToken })
/** `PUT /api/me`. A new password or e-mail needs the current password, where there is one. */
export const changeMeInput = z.object({
  email,
  name: personName,
  password: password.optional(),
  currentPassword: password.optional(),
})

/** `GET /api/session`, which is 200 with `null` where nobody is signed in, and the answer to every way of signing in and to `PUT /api/me`. */
export const sessionAnswer = z.object({
  person,
  projects: z.array(projectSummary),
  canCreateProjects: z.boolean(),
  /** The next change of the password needs the current one: false without a password and after the owner link. */
  needsCurrentPassword: z.boolean(),
  /** Where programs reach this instance, for the lines that people copy. */
  addresses: z.object({ ingest: z.string(), mcp: z.string() }),
})

/** `GET …/audit`: newest first; `before` is the `seq` of the last entry of the page before. */
export const auditInput = z.object({
  before: z.int().min(1).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
})
const auditEntry = z.object({
  seq: z.int(),
  id: z.string(),
  at: z.string(),
  /** The id of a person, `operator` for the command line, `nobody` for a stranger. */
  by: z.string(),
  byName: z.string().nullable(),
  projectId: z.string().nullable(),
  action: z.string(),
  details: z.record(z.string(), z.unknown()),
})
const auditAnswer = z.object({ entries: z.array(auditEntry), nextBefore: z.int().nullable() })

export type SignInInput = z.infer<typeof signInInput>
export type ChangeMeInput = z.infer<typeof changeMeInput>
export type SessionAnswer = z.infer<typeof sessionAnswer>
export type AuditInput = z.infer<typeof auditInput>
export type AuditAnswer = z.infer<typeof auditAnswer>
