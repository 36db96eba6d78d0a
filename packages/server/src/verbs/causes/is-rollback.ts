import type { Deploy } from '../../model/deploy.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

/** Whether the deploy brings back a revision that another one had replaced. Deploying the running revision again does not. */
export async function isRollback(
  deploys: Pick<ReadingParts['control']['deploys'], 'list' | 'previous'>,
  deploy: Deploy,
  previous?: Pick<Deploy, 'sha'> | null,
): Promise<boolean> {
  const { projectId, environment, sha, status, deployedAtUs } = deploy
  if (status !== 'succeeded') return false
  const before = previous === undefined ? await deploys.previous(deploy) : previous
  if (before === null || before.sha === sha) return false
  const filter = { environment, sha, status: 'succeeded', toUs: deployedAtUs, limit: 1 } as const
  return (await deploys.list(projectId, filter)).length > 0
}
