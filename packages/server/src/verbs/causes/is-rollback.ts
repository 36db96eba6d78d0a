import { isSameRevision } from '@tidemark/wire/deploys/revision'
import type { Deploy } from '../../model/deploy.ts'
import type { Revisions } from '../../model/repository.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { unlessAway } from './unless-away.ts'

type Parts = { control: Pick<ReadingParts['control'], 'deploys'> } & Pick<ReadingParts, 'repository'>

/**
 * Whether the deploy took an older revision back into use. History decides where the repository knows which of the two is
 * older; elsewhere it is a revision that ran before another replaced it. Deploying the running revision again is none.
 * `known` is what it replaced, where the caller has that already.
 */
export async function isRollback(
  { control: { deploys }, repository }: Parts,
  deploy: Deploy,
  known?: Pick<Deploy, 'sha'> | null,
): Promise<boolean> {
  if (deploy.status !== 'succeeded') return false
  const replaced = known === undefined ? await deploys.replaced(deploy) : known
  if (replaced === null || isSameRevision(replaced.sha, deploy.sha)) return false
  const relation = await unlessAway(relationOf(repository, replaced, deploy), undefined)
  if (relation === 'back') return true
  return relation !== 'forward' && relation !== 'same' && deploys.hasRunBefore(deploy)
}

async function relationOf(
  repository: ReadingParts['repository'],
  from: Pick<Deploy, 'sha'>,
  { sha, projectId }: Deploy,
): Promise<Revisions['relation']> {
  const found = await repository.mirrorOf(projectId)
  return found.state === 'ready' ? (await found.mirror.compare(from.sha, sha)).relation : 'unknown'
}
