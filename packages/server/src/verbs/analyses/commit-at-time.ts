import type { CommitFound } from '../../analysis/cause/correlate.ts'
import type { ProjectId } from '../../model/project.ts'
import type { MirrorKeeper } from '../../repository/mirror-keeper.ts'

/** What the connected repository says about a moment; see `CommitFound`. */
export function commitAtTime(keeper: Pick<MirrorKeeper, 'mirrorOf'>) {
  return async (projectId: ProjectId, atUs: number): Promise<CommitFound> => {
    const found = await keeper.mirrorOf(projectId)
    if (found.state === 'none') return null
    if (found.state === 'mirroring') return { reason: 'it is being copied, ask again in a moment' }
    const { mirror } = found
    const commit = await mirror.commitAt(atUs)
    if (commit === null) return { reason: `its branch ${mirror.branch} has no commit that is as old as this error` }
    const { sha, committedAtUs, subject, authorName: author } = commit
    return { sha, committedAtUs, subject, author, branch: mirror.branch }
  }
}
