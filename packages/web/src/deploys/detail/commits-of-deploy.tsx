import { commitWords } from '@tidemark/wire/deploys/commit-words'
import type { DeployCommits } from '@tidemark/wire/deploys/deploy'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { RepositoryLink } from '../../connect/setup-links.tsx'
import { CommitLine, shortPlace } from '../../marks/commit-line.tsx'
import { plainLine, plainSentence } from '../../text/plain-text.ts'
import { EmptyPart } from '../../ui/empty.tsx'
import { Part, PartList } from './part.tsx'

/** What the deploy brought, or took back. The words are the repository's: they are shown, never followed. */
export function CommitsOfDeploy({ commits: brought, isRollback }: { commits: DeployCommits; isRollback: boolean }) {
  const { summary, total, commits } = brought
  const left = total - commits.length
  return (
    <Part title={commits.length === 0 ? 'Commits' : `Commits it ${commitWords(brought, isRollback)}`} label="Commits">
      <p className="mb-2 text-muted [overflow-wrap:anywhere]">{plainSentence(summary)}</p>
      {commits.length > 0 && (
        <PartList items={commits} keyOf={({ sha }) => sha}>
          {(commit) => <CommitRow commit={commit} />}
        </PartList>
      )}
      {left > 0 && commits.length > 0 && (
        <p className="mt-2 text-small text-muted">
          {left === 1 ? 'The oldest is not listed.' : `The ${withCommas(left)} oldest are not listed.`}
        </p>
      )}
    </Part>
  )
}

export function NoRepository({ projectId }: { projectId: string }) {
  return (
    <Part title="Commits">
      <EmptyPart>
        <span className="mb-3 block">
          No repository is connected, so it is not known which commits this deploy brought, nor which of them changed a
          line that fails.
        </span>
        <RepositoryLink projectId={projectId} />
      </EmptyPart>
    </Part>
  )
}

function CommitRow({ commit }: { commit: DeployCommits['commits'][number] }) {
  const { files, paths } = commit
  const names = paths.map(plainLine)
  return (
    <div className="px-3 py-2">
      <CommitLine commit={commit} canCopy>
        {files === 0 ? (
          <p className="text-small text-faint">Merge</p>
        ) : (
          <ul aria-label="Files" className="flex flex-wrap gap-x-3 font-mono text-small text-faint">
            {names.map((name) => (
              <li key={name} className="min-w-0 [overflow-wrap:anywhere]" title={name}>
                {shortPlace(name)}
              </li>
            ))}
            {files > paths.length && <li className="font-sans">and {counted(files - paths.length, 'more file')}</li>}
          </ul>
        )}
      </CommitLine>
    </div>
  )
}
