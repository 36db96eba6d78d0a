/** Who may see a project, and the links that invite them. */
import { z } from 'zod'
import { projectRole } from '../project.ts'
import { email, linkToken, password, personName } from './account.ts'

const member = z.object({
  personId: z.string(),
  email: z.string(),
  name: z.string(),
  role: projectRole,
  /** Owners of the instance own every project; they can be neither changed nor removed here. */
  isInstanceOwner: z.boolean(),
  /** Null for owners of the instance. */
  joinedAt: z.string().nullable(),
})

/** `GET …/members`: by name. */
export const membersAnswer = z.object({ members: z.array(member) })
/** `PATCH …/members/:personId`; the answer is the member. */
export const changeMemberInput = z.object({ role: projectRole })

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: projectRole,
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string(),
})

/** `GET …/invitations`: those that can still be accepted, newest first. */
const invitationsAnswer = z.object({ invitations: z.array(invitation) })
/** `POST …/invitations`. The link is for this e-mail alone; inviting it again ends the earlier link. */
export const inviteInput = z.object({ email, role: projectRole })
/** The only time the link is shown: `…/invitation#TOKEN`. Nothing is sent; pass it on. */
export const createdInvitationAnswer = z.object({ invitation, link: z.string() })

/** `POST /api/session/invitation/preview`: what the link offers, for anyone who holds it. */
export const invitationPreviewInput = z.object({ token: linkToken })
export const invitationPreviewAnswer = z.object({
  projectName: z.string(),
  email: z.string(),
  role: projectRole,
  expiresAt: z.string(),
  /** Then sign in as this e-mail first and accept with the token alone; else choose a name and a password. */
  hasAccount: z.boolean(),
})
/** `POST /api/session/invitation`; the answer is the session. */
export const acceptInvitationInput = z.object({
  token: linkToken,
  name: personName.optional(),
  password: password.optional(),
})

/** `POST …/members/:personId/password-reset`. The only time the link is shown: `…/reset-password#TOKEN`. */
const passwordResetAnswer = z.object({ link: z.string(), email: z.string(), expiresAt: z.string() })
/** `POST /api/session/password-reset/preview`, with the input of an invitation's preview. */
const passwordResetPreview = z.object({ email: z.string(), expiresAt: z.string() })
/** `POST /api/session/password-reset`; the answer is the session. All earlier sessions of the person end. */
export const resetPasswordInput = z.object({ token: linkToken, password })

export type Member = z.infer<typeof member>
export type MembersAnswer = z.infer<typeof membersAnswer>
export type Invitation = z.infer<typeof invitation>
export type InvitationsAnswer = z.infer<typeof invitationsAnswer>
export type InviteInput = z.infer<typeof inviteInput>
export type CreatedInvitationAnswer = z.infer<typeof createdInvitationAnswer>
export type InvitationPreviewAnswer = z.infer<typeof invitationPreviewAnswer>
export type PasswordResetAnswer = z.infer<typeof passwordResetAnswer>
export type PasswordResetPreview = z.infer<typeof passwordResetPreview>
export type ResetPasswordInput = z.infer<typeof resetPasswordInput>
export type AcceptInvitationInput = z.infer<typeof acceptInvitationInput>
