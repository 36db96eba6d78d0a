/** What a question names by its id: the thing, or a refusal with the same words whether it never was or is another's. */
import { AppError } from '../../errors.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ReadingParts } from './reading-parts.ts'

/** The deploy that a question names in its field `path`. If it also names an environment, it must be the deploy's. */
export async function requireDeploy(
  { deploys }: Pick<ReadingParts['control'], 'deploys'>,
  projectId: ProjectId,
  { id, path, environment }: { id: string; path: string; environment: string | undefined },
): Promise<Deploy> {
  const deploy = await deploys.get(projectId, id)
  if (deploy === null) throw badField(path, 'No deploy of this project has that id. List the deploys to find one.')
  if (environment === undefined || environment === deploy.environment) return deploy
  const message = `The deploy went to ${JSON.stringify(deploy.environment)}: leave environment out, or name that one.`
  throw badField('environment', message, 'invalid_request')
}

/** When it ran: from its time until the next one that succeeded in its environment. One that failed would have. */
export async function runOf(
  { deploys }: Pick<ReadingParts['control'], 'deploys'>,
  deploy: Deploy,
): Promise<{ fromUs: number; toUs?: number }> {
  const next = await deploys.next(deploy)
  return { fromUs: deploy.deployedAtUs, ...(next && { toUs: next.deployedAtUs }) }
}

function badField(path: string, message: string, code: 'not_found' | 'invalid_request' = 'not_found'): AppError {
  return new AppError(code, message, { fields: [{ path, message }] })
}
