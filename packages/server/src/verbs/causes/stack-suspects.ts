/** Which commits of some deploys touch what stands in the stack of an analysis. */

import type { CommitFacts } from '../../analysis/cause/cause-facts.ts'
import { stackOf } from '../../analysis/stack/parse-stack.ts'
import { dependencyChanges, isManifest } from '../../analysis/suspect/dependency-changes.ts'
import { type FindPath, findPathsIn, isPathOfService } from '../../analysis/suspect/frame-path.ts'
import { packagesOf, placesOf } from '../../analysis/suspect/stack-places.ts'
import { type CommitChange, findSuspects, type Place, type Suspect } from '../../analysis/suspect/suspects.ts'
import { atMost } from '../../at-most.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { CommitChanges, RepositoryMirror } from '../../repository/repository-mirror.ts'

/** Commits whose lines are read; of more, the newest. */
const MAX_READ = 60
const MAX_MANIFESTS = 20
const READ_AT_ONCE = 4

/** The stack of one analysis in the repository as it was at a revision. */
export type StackInRepository = {
  places: Place[]
  packages: string[]
  throwing: string[]
  service: string
  looked: CommitFacts['looked']
}

export async function stackInRepository(
  mirror: Pick<RepositoryMirror, 'filesAt'>,
  sha: string,
  { sample, service }: Pick<Analysis, 'sample' | 'service'>,
): Promise<StackInRepository> {
  const files = await mirror.filesAt(sha)
  const stack = stackOf(sample)
  const places = stack === null ? [] : placesOf(stack, pathsOf(files, service))
  const used = stack === null ? { packages: [], throwing: [] } : packagesOf(stack)
  const hasService = files.some((path) => isPathOfService(path, service))
  return { places, ...used, service, looked: places.length > 0 ? 'stack' : hasService ? 'service' : null }
}

/** By the list of files, which the mirror keeps: a page of analyses is of few revisions. */
const known = new WeakMap<readonly string[], Map<string, FindPath>>()

function pathsOf(files: readonly string[], service: string): FindPath {
  const services = known.get(files) ?? new Map<string, FindPath>()
  known.set(files, services)
  const found = services.get(service) ?? findPathsIn(files, service)
  services.set(service, found)
  return found
}

/** Newest change first. */
export async function suspectsAmong(
  mirror: Pick<RepositoryMirror, 'changedFiles' | 'patch'>,
  changes: readonly (CommitChanges & { deployId: string | null })[],
  { places, packages, throwing, service }: StackInRepository,
): Promise<Suspect[]> {
  const paths = pathsEver(changes, places)
  const ask = atMost(READ_AT_ONCE)
  let [read, manifests] = [0, 0]
  const looked = changes.map(async ({ commit, files, deployId }): Promise<CommitChange> => {
    const touched = files.filter(({ path }) => paths.has(path)).map(({ path }) => path)
    const named = packages.length === 0 ? [] : files.filter(({ path }) => isManifest(path)).map(({ path }) => path)
    const isRead = touched.length > 0 && read < MAX_READ
    if (isRead) read += 1
    const patched = named.slice(0, MAX_MANIFESTS - manifests)
    manifests += patched.length
    const [hunks, dependencies] = await Promise.all([
      isRead ? ask(() => mirror.changedFiles(commit.sha, touched)) : [],
      Promise.all(
        patched.map(async (path) => dependencyChanges(path, await ask(() => mirror.patch(commit.sha, path)))),
      ),
    ])
    const byPath = new Map(hunks.map((file) => [file.path, file]))
    const shown = hunks.length === 0 ? files : files.map((file) => byPath.get(file.path) ?? file)
    return { commit, deployId, files: shown, dependencies: dependencies.flat() }
  })
  return findSuspects({ changes: await Promise.all(looked), places, packages, throwing, service })
}

/** The places' files under every name that they had in these changes. */
function pathsEver(changes: readonly CommitChanges[], places: readonly Place[]): Set<string> {
  const paths = new Set(places.map(({ path }) => path))
  for (const { files } of changes) {
    for (const { path, previousPath } of files) if (previousPath !== null && paths.has(path)) paths.add(previousPath)
  }
  return paths
}
