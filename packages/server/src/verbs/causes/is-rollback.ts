import type { Deploy } from '../../model/deploy.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

/** It brings back a revision that ran before another one; the same revision again is none. */
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
