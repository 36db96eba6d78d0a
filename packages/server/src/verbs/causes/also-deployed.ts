import type { ProjectId } from '../../model/project.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

/** Others are not looked up, and so not named. */
const MAX_LOOKED_UP = 10

/** Of some environments, those to which a revision was deployed. Each is looked up once for an answer. */
export function alsoDeployedTo(deploys: Pick<ReadingParts['control']['deploys'], 'list'>, projectId: ProjectId) {
  const known = new Map<string, Promise<boolean>>()

  function isDeployed(sha: string, environment: string): Promise<boolean> {
    const key = `${sha} ${environment}`
    const filter = { environment, sha, status: 'succeeded', limit: 1 } as const
    const asked = known.get(key) ?? deploys.list(projectId, filter).then((found) => found.length > 0)
    known.set(key, asked)
    return asked
  }

  return async (sha: string, environments: readonly string[]): Promise<string[]> => {
    const places = environments.slice(0, MAX_LOOKED_UP)
    const deployed = await Promise.all(places.map((environment) => isDeployed(sha, environment)))
    return places.filter((_, at) => deployed[at])
  }
}
