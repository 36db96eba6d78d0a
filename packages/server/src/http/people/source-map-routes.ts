/** Source maps of a project: seen by its people, deleted by its owners. */
import { deleteSourceMapsInput, sourceMapFilesInput, sourceMapReleasesInput } from '@tidemark/wire/source-maps'
import type { People } from '../../verbs/open-people.ts'
import { parseInput } from '../request/parameters.ts'
import type { PeopleDoor } from './door.ts'

export function peopleSourceMapRoutes(door: PeopleDoor, { people }: { people: People }): void {
  door.member('GET', '/sourcemaps', ({ caller, query }) =>
    people.listSourceMaps(caller, { ...parseInput(sourceMapReleasesInput, query), project: caller.project.id }),
  )
  // Releases are in the query: they may hold anything, slashes too.
  door.member('GET', '/sourcemaps/files', ({ caller, query }) =>
    people.listSourceMapFiles(caller, { ...parseInput(sourceMapFilesInput, query), project: caller.project.id }),
  )
  door.member('DELETE', '/sourcemaps', ({ caller, query }) =>
    people.deleteSourceMaps(caller, { ...parseInput(deleteSourceMapsInput, query), project: caller.project.id }),
  )
}
