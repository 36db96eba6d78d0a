/** Projects and keys, for people. */

import { auditInput } from '@tidemark/wire/people/account'
import { callsInput } from '@tidemark/wire/people/call'
import { createKeyInput, type ApiKey as KeyView } from '@tidemark/wire/people/key'
import {
  changeProjectInput,
  createProjectInput,
  redactionPreviewInput,
  retentionPreviewInput,
} from '@tidemark/wire/project'
import { z } from 'zod'
import { clientGone } from '../../client-gone.ts'
import type { ApiKey } from '../../model/key.ts'
import type { PersonCaller } from '../../verbs/access.ts'
import type { People } from '../../verbs/open-people.ts'
import type { CallLimits } from '../../verbs/reading/call-limits.ts'
import { noParameters } from '../request/parameters.ts'
import { parseBody } from './body.ts'
import type { PeopleDoor } from './door.ts'

/** In an address every number arrives as text. */
const auditPage = z.object({
  before: z.coerce.number().pipe(auditInput.shape.before.unwrap()).optional(),
  limit: z.coerce.number().pipe(auditInput.shape.limit.unwrap()).optional(),
})

const callsPage = callsInput.extend({ limit: z.coerce.number().pipe(callsInput.shape.limit.unwrap()).optional() })

type Parts = { people: People; limits: Pick<CallLimits, 'enter'> | undefined }

export function peopleProjectRoutes(door: PeopleDoor, { people, limits }: Parts): void {
  door.person('GET', '/api/projects', async ({ session, query }) => {
    noParameters(query)
    return { projects: await people.listMyProjects(session) }
  })
  door.person('POST', '/api/projects', async ({ session, body, reply }) => {
    const created = await people.createMyProject(session, parseBody(createProjectInput, body))
    reply.code(201)
    return created
  })
  door.person('GET', '/api/audit', ({ session, query }) =>
    people.listInstanceAudit(session, parseBody(auditPage, query)),
  )

  door.member('GET', '', ({ caller, query }) => {
    noParameters(query)
    return people.showProject(caller)
  })
  door.member('PATCH', '', ({ caller, body }) => people.changeSettings(caller, parseBody(changeProjectInput, body)))
  door.member('DELETE', '', async ({ caller }) => {
    await people.deleteProject(caller, { project: caller.project.id })
  })
  door.member('GET', '/audit', ({ caller, query }) =>
    people.listProjectAudit(caller, { project: caller.project.id, ...parseBody(auditPage, query) }),
  )
  door.member('GET', '/first-arrivals', ({ caller, query, reply }) => {
    noParameters(query)
    return people.firstArrivals(caller, clientGone(reply.raw))
  })
  /** Previews cost more than what is next to them: one queries the log store, the other starts a thread. */
  const counted = async <Result>(caller: PersonCaller, run: () => Promise<Result>): Promise<Result> => {
    const leave = limits?.enter(caller.personId, 1, Date.now())
    try {
      return await run()
    } finally {
      leave?.()
    }
  }
  door.member('POST', '/retention/preview', ({ caller, body, reply }) => {
    const input = { project: caller.project.id, ...parseBody(retentionPreviewInput, body) }
    return counted(caller, () => people.previewRetention(caller, input, clientGone(reply.raw)))
  })
  door.member('POST', '/redaction/preview', ({ caller, body, reply }) => {
    const input = { project: caller.project.id, ...parseBody(redactionPreviewInput, body) }
    return counted(caller, () => people.previewRedaction(caller, input, clientGone(reply.raw)))
  })

  door.member('GET', '/keys', async ({ caller, query }) => {
    noParameters(query)
    return { keys: (await people.listKeys(caller, { project: caller.project.id })).map(keyView) }
  })
  door.member('POST', '/keys', async ({ caller, body, reply }) => {
    const { kind, name, expiresIn } = parseBody(createKeyInput, body)
    const { key, ...secrets } = await people.createKey(caller, {
      project: caller.project.id,
      kind,
      ...(name !== undefined && { name }),
      ...(expiresIn !== undefined && { expiresIn }),
    })
    reply.code(201)
    return { key: keyView(key), ...secrets }
  })
  door.member('DELETE', '/keys/:keyId', async ({ caller, params }) => {
    const { key, changed } = await people.revokeKey(caller, { id: params.keyId ?? '' })
    return { key: keyView(key), changed }
  })
  door.member('GET', '/ingest-health', ({ caller, query }) => {
    noParameters(query)
    return people.ingestHealth(caller, { project: caller.project.id })
  })
  door.member('GET', '/calls', ({ caller, query }) =>
    people.listCalls(caller, { project: caller.project.id, ...parseBody(callsPage, query) }),
  )
  door.member('GET', '/calls/by-key', ({ caller, query }) => {
    noParameters(query)
    return people.sumCallsByKey(caller, { project: caller.project.id })
  })
}

function keyView({ projectId: _, client, ...key }: ApiKey): KeyView {
  return { ...key, client: client && { name: client.name, host: client.host } }
}
