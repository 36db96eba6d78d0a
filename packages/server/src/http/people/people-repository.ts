/** The git repository of a project. */
import { connectRepositoryInput } from '@tidemark/wire/repository'
import { z } from 'zod'
import type { RepositoryVerbs } from '../../verbs/repository.ts'
import { parseInput } from '../reading/input.ts'
import type { PeopleDoor } from './people-door.ts'
import { parseBody } from './people-input.ts'

const nothing = z.object({})

export function peopleRepositoryRoutes(door: PeopleDoor, { repository }: { repository: RepositoryVerbs }): void {
  door.member('GET', '/repository', ({ caller, query }) => {
    parseInput(nothing, query)
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
