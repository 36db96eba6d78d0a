/** Saved views of the logs page, for the people of a project. */
import { changeViewInput, newViewInput } from '@tidemark/wire/dashboard/view'
import type { People } from '../../verbs/open-people.ts'
import { noParameters } from '../request/parameters.ts'
import { parseBody } from './body.ts'
import type { PeopleDoor } from './door.ts'

export function peopleViewRoutes(door: PeopleDoor, { people }: { people: People }): void {
  door.member('GET', '/views', ({ caller, query }) => {
    noParameters(query)
    return people.listViews(caller, { project: caller.project.id })
  })
  door.member('POST', '/views', async ({ caller, body, reply }) => {
    const view = await people.saveView(caller, { ...parseBody(newViewInput, body), project: caller.project.id })
    reply.code(201)
    return { view }
  })
  door.member('PATCH', '/views/:viewId', async ({ caller, params, body }) => {
    const input = parseBody(changeViewInput, body)
    const id = params.viewId ?? ''
    return { view: await people.changeView(caller, { ...input, id, project: caller.project.id }) }
  })
  door.member('DELETE', '/views/:viewId', async ({ caller, params }) => {
    await people.deleteView(caller, { id: params.viewId ?? '', project: caller.project.id })
  })
}
