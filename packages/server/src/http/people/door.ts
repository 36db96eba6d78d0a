/**
 * What every path for people has in common. A change needs a header that no form and no foreign page can send, whether a
 * cookie comes along or not, because signing somebody in as somebody else is a forgery too; the guard has looked at Origin.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Session } from '../../model/person.ts'
import { type PersonCaller, rechecking } from '../../verbs/access.ts'
import type { People } from '../../verbs/open-people.ts'
import type { SessionCookie } from './session-cookie.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type VisitorCall = {
  body: unknown
  query: unknown
  params: Record<string, string>
  reply: FastifyReply
  /** Where the request comes from. */
  address: string
  /** Of the session the browser claims to have. */
  token: string | undefined
}
type PersonCall = VisitorCall & { session: Session; token: string }
export type MemberCall = PersonCall & { caller: PersonCaller }

export type PeopleDoor = {
  /** For everybody. */
  visitor(method: Method, path: string, answer: (call: VisitorCall) => Promise<unknown>): void
  /** For anyone signed in, and told as `null` to everybody else: an answer, where a refusal would be in the console of each page. */
  personIfAny(path: string, answer: (call: PersonCall) => Promise<unknown>): void
  /** For anyone signed in. */
  person(method: Method, path: string, answer: (call: PersonCall) => Promise<unknown>): void
  /** Below `/api/projects/:projectId`, for its members; not found for others. */
  member(method: Method, path: string, answer: (call: MemberCall) => Promise<unknown>): void
  identify(request: FastifyRequest): Promise<PersonCaller>
}

export const PROJECT_PATH = '/api/projects/:projectId'
/** As JSON. */
const NOBODY = 'null'
/** Says what a change would do, and changes nothing. */
const PREVIEW = '/preview'

export function createPeopleDoor(
  routes: FastifyInstance,
  { people, cookie, recheckAfterMs }: { people: People; cookie: SessionCookie; recheckAfterMs?: number | undefined },
): PeopleDoor {
  async function signedIn(request: FastifyRequest): Promise<{ session: Session; token: string }> {
    const token = cookie.read(request)
    return { session: await people.requirePerson(token), token: token ?? '' }
  }

  async function memberOf(request: FastifyRequest): Promise<Pick<MemberCall, 'session' | 'token' | 'caller'>> {
    const { session, token } = await signedIn(request)
    return { session, token, caller: await people.requireMember(session, paramsOf(request).projectId ?? '') }
  }

  const identify = async (request: FastifyRequest) => (await memberOf(request)).caller

  function add(
    method: Method,
    url: string,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    check?: (request: FastifyRequest) => Promise<unknown>,
  ) {
    routes.route({
      method,
      url,
      exposeHeadRoute: false,
      // Before the body is read: nothing is received from those who may not send one.
      onRequest: async (request) => {
        requireOwnPage(request)
        // A client that asks before it sends its body learns at once when nobody would read it.
        if (request.headers.expect !== undefined) await check?.(request)
      },
      handler: async (request, reply) => {
        reply.header('Cache-Control', 'no-store').header('Cross-Origin-Resource-Policy', 'same-origin')
        const recheck = rechecking(async () => check?.(request), Date.now, recheckAfterMs)
        const body = await answer(request, reply)
        if (body === NOBODY) return reply.type('application/json; charset=utf-8').send(NOBODY)
        // A change has been made, whatever is answered; what was only read is withheld from a person who may no longer read it.
        if (method === 'GET' || url.endsWith(PREVIEW)) await recheck()
        return body === undefined ? reply.code(204).send() : body
      },
    })
  }

  return {
    identify,
    visitor: (method, path, answer) =>
      add(method, path, (request, reply) => answer({ ...visit(request, reply), token: cookie.read(request) })),
    personIfAny: (path, answer) =>
      add(
        'GET',
        path,
        async (request, reply) => {
          const found = await signedIn(request).catch(nobody)
          return found === null ? NOBODY : answer({ ...visit(request, reply), ...found })
        },
        signedIn,
      ),
    person: (method, path, answer) =>
      add(
        method,
        path,
        async (request, reply) => answer({ ...visit(request, reply), ...(await signedIn(request)) }),
        signedIn,
      ),
    member: (method, path, answer) =>
      add(
        method,
        PROJECT_PATH + path,
        async (request, reply) => answer({ ...visit(request, reply), ...(await memberOf(request)) }),
        memberOf,
      ),
  }
}

function visit(request: FastifyRequest, reply: FastifyReply): Omit<VisitorCall, 'token'> {
  return { body: request.body, query: request.query, params: paramsOf(request), reply, address: request.ip }
}

function paramsOf(request: FastifyRequest): Record<string, string> {
  return request.params as Record<string, string>
}

/** Only where nobody is signed in; trouble stays trouble. */
export function nobody(error: unknown): null {
  if (error instanceof AppError && error.code === 'unauthorized') return null
  throw error
}

function requireOwnPage({ method, headers }: FastifyRequest): void {
  if (method === 'GET' || headers['x-requested-with'] === 'tidemark') return
  throw new AppError('forbidden', 'A change needs the header `X-Requested-With: tidemark`, as the dashboard sends it.')
}
