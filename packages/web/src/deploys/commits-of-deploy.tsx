import type { DeployCommits } from '@tidemark/wire/deploy'
import { useState } from 'react'
import { CommitLine } from '../marks/commit-line.tsx'
import { plainLine } from '../text/plain-text.ts'
import { Button } from '../ui/button.tsx'

const SHOWN_FIRST = 10

/** What the deploy brought, or took back. The words are the repository's: they are shown, never followed. */
export function CommitsOfDeploy({ commits: { step, summary, total, commits } }: { commits: DeployCommits }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? commits : commits.slice(0, SHOWN_FIRST)
  const hidden = commits.length - shown.length
  return (
    <section aria-label="Commits">
      <h2 className="mb-1 text-large font-semibold">{step === 'rollback' ? 'Commits it took back' : 'Commits'}</h2>
      <p className="mb-2 text-muted [overflow-wrap:anywhere]">{plainLine(summary)}</p>
      {commits.length > 0 && (
        <ol className="divide-y divide-border rounded-control border border-border bg-surface">
          {shown.map((commit) => (
            <CommitRow key={commit.sha} commit={commit} />
          ))}
        </ol>
      )}
      <div className="mt-2 flex items-center gap-3 text-small text-muted empty:hidden">
        {hidden > 0 && <Button onClick={() => setWhole(true)}>Show {hidden} more</Button>}
        {total > commits.length && hidden === 0 && commits.length > 0 && (
          <span>The {total - commits.length} oldest are not listed.</span>
        )}
      </div>
    </section>
  )
}

function CommitRow({ commit }: { commit: DeployCommits['commits'][number] }) {
  const { files, paths } = commit
  const names = paths.map(plainLine)
  return (
    <li className="px-3 py-2">
      <CommitLine commit={commit}>
        <p className="truncate font-mono text-small text-faint" title={names.join('\n')}>
          {files === 0 ? 'merge' : names.join(', ')}
          {files > paths.length && ` and ${files - paths.length} more`}
        </p>
      </CommitLine>
    </li>
  )
}
