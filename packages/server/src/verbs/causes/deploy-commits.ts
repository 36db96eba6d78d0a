/** What a deploy brought: the commits between the revision that ran before and its own, from the connected repository. */

import { type CopyState, formatCopyState } from '@tidemark/wire/copy-state'
import type { DeployCommits } from '@tidemark/wire/deploys/deploy'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { shaWords } from '../../analysis/words.ts'
import type { Deploy } from '../../model/deploy.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { type CommitChanges, MAX_COMMITS_BETWEEN, type RepositoryMirror } from '../../repository/repository-mirror.ts'
import type { ConnectedRepository } from '../reading/reading-parts.ts'
import { uncopiedRepository } from './unread-repository.ts'

/** The changes of a deploy, for those who look into them. */
export type DeployRange = Omit<DeployCommits, 'commits'> & { changes: readonly CommitChanges[] }

const MAX_COMMITS_SHOWN = 100
const MAX_PATHS_SHOWN = 5

/** Null when no repository is connected. */
export async function deployCommits(
  repository: ConnectedRepository,
  deploy: Deploy,
  previous: Deploy | null,
): Promise<DeployCommits | null> {
  const range = await deployRange(repository, deploy, previous)
  if (range === null) return null
  const { changes, ...rest } = range
  return { ...rest, commits: changes.slice(0, MAX_COMMITS_SHOWN).map(commitView) }
}

export async function deployRange(
  repository: ConnectedRepository,
  deploy: Deploy,
  previous: Deploy | null,
): Promise<DeployRange | null> {
  const found = await repository.mirrorOf(deploy.projectId)
  if (found.state === 'none') return null
  if (found.state === 'uncopied') return nothing('unknown', uncopiedRepository(found).sentence)
  const { mirror, outdated } = found
  const [to, from] = [deploy.sha, previous?.sha ?? null]
  const missing = (shas: readonly string[]) => {
    repository.refreshSoon(deploy.projectId)
    return missingRange(shas, outdated)
  }
  if (from === null) return (await firstRange(mirror, deploy)) ?? missing([to])
  const revisions = await mirror.compare(from, to)
  if (revisions.relation === 'unknown') return missing(revisions.missing)
  const { relation, ahead, behind } = revisions
  switch (relation) {
    case 'same':
      return nothing('same', `${shaWords(to)} ran already: this deploy brought no commit.`)
    case 'back':
      return rangeOf('rollback', await mirror.changesBetween(to, from, MAX_COMMITS_BETWEEN), behind, (count) =>
        backWords(deploy, count, from, behind === 1),
      )
    case 'forward':
      return rangeOf(
        'forward',
        await mirror.changesBetween(from, to, MAX_COMMITS_BETWEEN),
        ahead,
        (count) => `${count} since ${shaWords(from)}.`,
      )
    case 'diverged':
      return rangeOf(
        'diverged',
        await mirror.changesBetween(from, to, MAX_COMMITS_BETWEEN),
        ahead,
        (count) =>
          `${shaWords(to)} does not follow ${shaWords(from)}: ${count} that ${shaWords(from)} has not, and without ${counted(behind, 'commit')} of it. The history was rewritten, or another branch was deployed.`,
      )
  }
}

/** Without a deploy before it there is no range, only the commit itself; null when the copy does not have that. */
async function firstRange(mirror: RepositoryMirror, deploy: Deploy): Promise<DeployRange | null> {
  const commit = await mirror.commit(deploy.sha)
  if (commit === null) return null
  const files = await mirror.changedFiles(commit.sha)
  const summary = 'No deploy to this environment was recorded before, so this is its own commit alone.'
  return { step: 'first', summary, total: 1, changes: [{ commit, files }] }
}

/** A commit may also be missing because the copy is out of date: then the reason for that is the answer. */
function missingRange(missing: readonly string[], outdated: CopyState | undefined): DeployRange {
  const names = missing.map(shaWords).join(' and ')
  const summary =
    outdated === undefined
      ? `The repository has no commit ${names}: it is not pushed, was removed by a forced push, or belongs to another repository. The remote is being checked again.`
      : `The copy of the repository has no commit ${names}. The repository is ${formatCopyState(outdated)}`
  return nothing('unknown', summary)
}

function rangeOf(
  step: DeployRange['step'],
  { changes, truncated }: { changes: readonly CommitChanges[]; truncated: boolean },
  total: number,
  words: (count: string) => string,
): DeployRange {
  const only = truncated ? ` Only the newest ${withCommas(MAX_COMMITS_BETWEEN)} are looked at.` : ''
  return { step, summary: `${words(counted(total, 'commit'))}${only}`, total, changes }
}

/** A deploy that did not succeed has taken nothing back. */
function backWords({ sha, status }: Deploy, count: string, from: string, isOne: boolean): string {
  const way = `from ${shaWords(from)} to ${shaWords(sha)}: ${count}`
  if (status !== 'succeeded') return `Would lead back ${way} would be taken back.`
  return `Rolled back ${way} ${isOne ? 'was' : 'were'} taken back.`
}

function nothing(step: DeployRange['step'], summary: string): DeployRange {
  return { step, summary, total: 0, changes: [] }
}

function commitView({ commit, files }: CommitChanges): DeployCommits['commits'][number] {
  return {
    sha: commit.sha,
    title: commit.subject,
    author: commit.authorName,
    committedAt: formatRfc3339(commit.committedAtUs),
    files: files.length,
    paths: files.slice(0, MAX_PATHS_SHOWN).map(({ path }) => path),
  }
}
