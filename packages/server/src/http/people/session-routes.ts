/** Signing in and out, and one's own account. Every way in returns the session and sets the cookie. */
import { changeMeInput, ownerLinkInput, type SessionAnswer, signInInput } from '@tidemark/wire/people/account'
import { acceptInvitationInput, invitationPreviewInput, resetPasswordInput } from '@tidemark/wire/people/member'
import type { People } from '../../verbs/open-people.ts'
import { noParameters } from '../request/parameters.ts'
import { parseBody } from './body.ts'
import { nobody, type PeopleDoor, type VisitorCall } from './door.ts'
import type { SessionCookie } from './session-cookie.ts'

export function sessionRoutes(door: PeopleDoor, { people, cookie }: { people: People; cookie: SessionCookie }): void {
  const opened = (call: VisitorCall, token: string): Promise<SessionAnswer> => {
    cookie.set(call.reply, token)
    return people.describeSession(token)
  }
  const placeOf = ({ address, token }: VisitorCall) => ({ address, replaces: token })

  door.personIfAny('/api/session', ({ query, token }) => {
    noParameters(query)
    return people.describeSession(token)
  })
  door.visitor('POST', '/api/session', async (call) =>
    opened(call, await people.signIn(parseBody(signInInput, call.body), placeOf(call))),
  )
  door.visitor('DELETE', '/api/session', async ({ token, reply }) => {
    if (token !== undefined) await people.signOut(token)
    cookie.clear(reply)
  })
  door.visitor('POST', '/api/session/owner-link', async (call) =>
    opened(call, await people.signInByOwnerLink(parseBody(ownerLinkInput, call.body), placeOf(call))),
  )
  door.visitor('POST', '/api/session/invitation/preview', ({ body, address }) =>
    people.previewInvitation(parseBody(invitationPreviewInput, body), address),
  )
  door.visitor('POST', '/api/session/invitation', async (call) => {
    const input = parseBody(acceptInvitationInput, call.body)
    const session = await people.requirePerson(call.token).catch(nobody)
    return opened(call, await people.acceptInvitation(session, input, placeOf(call)))
  })
  door.visitor('POST', '/api/session/password-reset/preview', ({ body, address }) =>
    people.previewPasswordReset(parseBody(invitationPreviewInput, body), address),
  )
  door.visitor('POST', '/api/session/password-reset', async (call) =>
    opened(call, await people.resetPassword(parseBody(resetPasswordInput, call.body), placeOf(call))),
  )
  door.person('PUT', '/api/me', async ({ session, body, token, address }) => {
    await people.changeMe(session, parseBody(changeMeInput, body), { token, address })
    return people.describeSession(token)
  })
}
