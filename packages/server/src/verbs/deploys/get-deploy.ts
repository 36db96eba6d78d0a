import type { DeployDetailAnswer, DeployDetailInput } from '@tidemark/wire/reading'
import { LATEST_DEPLOY } from '@tidemark/wire/time/parse-time'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReader } from '../access.ts'
import { deployCommits } from '../reading/deploy-commits.ts'
import { deployView } from '../reading/deploy-view.ts'
import { requireDeploy } from '../reading/named-by-id.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

type Parts = Pick<ReadingParts, 'repository' | 'publicUrl'> & { control: Pick<ReadingParts['control'], 'deploys'> }

/** One deploy of the caller's project, the one it replaced, the commits between, and where to see it. */
export async function getDeploy(
  { control, repository, publicUrl }: Parts,
  caller: Caller,
  { id, environment }: DeployDetailInput,
): Promise<DeployDetailAnswer> {
  const project = requireReader(caller)
  const deploy =
    id === LATEST_DEPLOY
      ? ((await control.deploys.latest(project.id, environment)) ?? refuseLatest(environment))
      : await requireDeploy(control, project.id, { id, path: 'id', environment })
  const previous = await control.deploys.previous(deploy)
  return {
    deploy: deployView(deploy),
    previousDeploy: previous && deployView(previous),
    commits: await deployCommits(repository, deploy, previous),
    url: `${publicUrl}/projects/${project.id}/deploys/${deploy.id}`,
  }
}

function refuseLatest(environment: string | undefined): never {
  if (environment === undefined) {
    throw new AppError('not_found', 'No deploy succeeded yet. List the deploys to see whether any was recorded.')
  }
  const message = `No deploy to ${JSON.stringify(environment)} succeeded yet. Names match to the letter: list the deploys to see where there are some.`
  throw new AppError('not_found', message, { fields: [{ path: 'environment', message }] })
}
