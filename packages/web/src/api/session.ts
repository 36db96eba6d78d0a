import { queryOptions } from '@tanstack/react-query'
import { SESSION_PATH } from '@tidemark/wire/dashboard/api-paths'
import type { ChangeMeInput, SessionAnswer, SignInInput } from '@tidemark/wire/people/account'
import type {
  AcceptInvitationInput,
  InvitationPreviewAnswer,
  PasswordResetPreview,
  ResetPasswordInput,
} from '@tidemark/wire/people/member'
import { isStatus, request } from './request.ts'

/** Null when nobody is signed in, which the service says without a refusal. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<SessionAnswer | null> => {
    try {
      return await request<SessionAnswer | null>(SESSION_PATH, { signal })
    } catch (error) {
      // It ended while it was looked up.
      if (isStatus(error, 401)) return null
      throw error
    }
  },
  staleTime: 60_000,
})

export const signIn = (input: SignInInput) => request<SessionAnswer>(SESSION_PATH, { method: 'POST', body: input })
export const signInByOwnerLink = (token: string) =>
  request<SessionAnswer>('/api/session/owner-link', { method: 'POST', body: { token } })
export const signOut = () => request<unknown>(SESSION_PATH, { method: 'DELETE' })
export const changeMe = (input: ChangeMeInput) => request<SessionAnswer>('/api/me', { method: 'PUT', body: input })
export const previewInvitation = (token: string) =>
  request<InvitationPreviewAnswer>('/api/session/invitation/preview', { method: 'POST', body: { token } })
export const acceptInvitation = (input: AcceptInvitationInput) =>
  request<SessionAnswer>('/api/session/invitation', { method: 'POST', body: input })
export const previewPasswordReset = (token: string) =>
  request<PasswordResetPreview>('/api/session/password-reset/preview', { method: 'POST', body: { token } })
export const resetPassword = (input: ResetPasswordInput) =>
  request<SessionAnswer>('/api/session/password-reset', { method: 'POST', body: input })
