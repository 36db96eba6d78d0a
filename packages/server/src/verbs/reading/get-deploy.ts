import type { DeployDetailAnswer } from '@tidemark/wire/project'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReader } from '../access.ts'
import { deployCommits } from './deploy-commits.ts'
import { deployView } from './deploy-view.ts'
import type { ReadingParts } from './reading-parts.ts'

type Parts = Pick<ReadingParts, 'repository' | 'publicUrl'> & { control: Pick<Control, 'deploys'> }

/** One deploy of the caller's project, the one it replaced, the commits between, and where to see it. */
export async function getDeploy(
  { control, repository, publicUrl }: Parts,
  caller: Caller,
  { id }: { id: string },
): Promise<DeployDetailAnswer> {
  const project = requireReader(caller)
  const deploy = await control.deploys.get(project.id, id)
  if (!deploy) throw new AppError('not_found', 'No deploy of this project has that id. List the deploys to find one.')
  const previous = await control.deploys.previous(deploy)
  return {
    deploy: deployView(deploy),
    previousDeploy: previous && deployView(previous),
    commits: await deployCommits(repository, deploy, previous),
    url: `${publicUrl}/projects/${project.id}/deploys/${deploy.id}`,
  }
}
