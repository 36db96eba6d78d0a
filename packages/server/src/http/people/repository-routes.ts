/** The git repository of a project. */
import { connectRepositoryInput } from '@tidemark/wire/repository'
import type { RepositoryVerbs } from '../../verbs/repository.ts'
import { noParameters } from '../request/parameters.ts'
import { parseBody } from './body.ts'
import type { PeopleDoor } from './door.ts'

export function peopleRepositoryRoutes(door: PeopleDoor, { repository }: { repository: RepositoryVerbs }): void {
  door.member('GET', '/repository', ({ caller, query }) => {
    noParameters(query)
    return repository.show(caller, { project: caller.project.id })
  })
  door.member('PUT', '/repository', async ({ caller, body }) => {
    const input = parseBody(connectRepositoryInput, body)
    return { repository: await repository.connect(caller, { ...input, project: caller.project.id }) }
  })
  door.member('POST', '/repository/sync', async ({ caller }) => ({
    repository: await repository.sync(caller, { project: caller.project.id }),
  }))
  door.member('DELETE', '/repository', async ({ caller }) => {
    await repository.disconnect(caller, { project: caller.project.id })
  })
}
