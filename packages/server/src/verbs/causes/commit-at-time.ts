import type { CommitFound } from '../../analysis/cause/correlation.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ConnectedRepository } from '../reading/reading-parts.ts'
import { uncopiedRepository } from './unread-repository.ts'

/** What the connected repository says of a moment; see `CommitFound`. */
export async function commitAtTime(
  repository: Pick<ConnectedRepository, 'mirrorOf'>,
  projectId: ProjectId,
  atUs: number,
): Promise<CommitFound> {
  const found = await repository.mirrorOf(projectId)
  if (found.state === 'none') return null
  if (found.state === 'uncopied') return { reason: uncopiedRepository(found).reason }
  const { mirror } = found
  const commit = await mirror.commitAt(atUs)
  if (commit === null) return { reason: `its branch ${mirror.branch} has no commit that is as old as this error` }
  const { sha, committedAtUs, subject, authorName: author } = commit
  return { sha, committedAtUs, subject, author, branch: mirror.branch }
}
