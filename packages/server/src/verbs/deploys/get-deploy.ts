import type { DeployDetailAnswer, DeployDetailInput } from '@tidemark/wire/reading/deploys'
import { LATEST_DEPLOY } from '@tidemark/wire/time/parse-time'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import { requireReader } from '../access.ts'
import { deployCommits } from '../causes/deploy-commits.ts'
import { isRollback } from '../causes/is-rollback.ts'
import { deployUrl, deployView } from '../reading/deploy-view.ts'
import { requireDeploy } from '../reading/named-by-id.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { deployPatterns } from './deploy-patterns.ts'
import { judgeDeploys } from './judge-deploys.ts'

/** One deploy of the caller's project, the one it replaced, what it did, the commits between, and where to see it. */
export async function getDeploy(
  parts: ReadingParts,
  caller: Caller,
  input: DeployDetailInput,
  signal?: AbortSignal,
): Promise<DeployDetailAnswer> {
  const { control, repository, publicUrl } = parts
  const project = requireReader(caller)
  const deploy = await findDeploy(control, project.id, input)
  const previous = await control.deploys.replaced(deploy)
  const [isBack, commits, judgements, patterns] = await Promise.all([
    isRollback(parts, deploy, previous),
    deployCommits(repository, deploy, previous),
    judgeDeploys(parts, project, [deploy], signal),
    deployPatterns(parts, project, deploy, signal),
  ])
  const { verdict, lists } = judgements.of(deploy)
  return {
    deploy: deployView(deploy),
    previousDeploy: previous && deployView(previous),
    ...verdict,
    ...lists,
    ...patterns,
    isRollback: isBack,
    commits,
    warnings: judgements.warnings,
    url: deployUrl(publicUrl, deploy),
  }
}

/** By its id, or the latest that succeeded: the same one as the time `deploy:latest`. */
export async function findDeploy(
  control: Pick<ReadingParts['control'], 'deploys'>,
  projectId: ProjectId,
  { id, environment }: DeployDetailInput,
): Promise<Deploy> {
  if (id !== LATEST_DEPLOY) return requireDeploy(control, projectId, { id, path: 'id', environment })
  return (await control.deploys.latest(projectId, environment)) ?? refuseLatest(environment)
}

function refuseLatest(environment: string | undefined): never {
  if (environment === undefined) {
    throw new AppError('not_found', 'No deploy succeeded yet. List the deploys to see whether any was recorded.')
  }
  const message = `No deploy to ${JSON.stringify(environment)} succeeded yet. Names match exactly: list the deploys to see where there are some.`
  throw new AppError('not_found', message, { fields: [{ path: 'environment', message }] })
}
