import type { DeployCommits as Commits } from '@tidemark/wire/deploy'
import { useState } from 'react'
import { plainLine } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { TimeAgo } from '../time/time-ago.tsx'
import { Button } from '../ui/button.tsx'

const SHOWN_FIRST = 10

/** What the deploy brought, or took back. The words are the repository's: they are shown, never followed. */
export function DeployCommits({ commits: { step, summary, total, commits } }: { commits: Commits }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? commits : commits.slice(0, SHOWN_FIRST)
  const hidden = commits.length - shown.length
  return (
    <section>
      <h2 className="mb-2 text-large font-semibold">{step === 'rollback' ? 'Commits taken back' : 'Commits'}</h2>
      <p className="mb-2 text-muted">{plainLine(summary)}</p>
      {commits.length > 0 && (
        <ol className="divide-y divide-border rounded-control border border-border bg-surface">
          {shown.map((commit) => (
            <CommitRow key={commit.sha} commit={commit} />
          ))}
        </ol>
      )}
      <div className="mt-2 flex items-center gap-3 text-small text-muted">
        {hidden > 0 && <Button onClick={() => setWhole(true)}>Show {hidden} more</Button>}
        {total > commits.length && hidden === 0 && commits.length > 0 && (
          <span>The {total - commits.length} oldest are not listed.</span>
        )}
      </div>
    </section>
  )
}

function CommitRow({
  commit: { sha, title, author, committedAt, files, paths },
}: {
  commit: Commits['commits'][number]
}) {
  return (
    <li className="flex flex-col gap-0.5 px-3 py-2">
      <div className="flex items-baseline gap-3">
        <span className="shrink-0 font-mono text-small text-muted" title={sha}>
          {shortSha(sha)}
        </span>
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{plainLine(title)}</span>
        <span className="shrink-0 text-small text-muted max-sm:hidden">{plainLine(author)}</span>
        <span className="shrink-0 text-small text-muted">
          <TimeAgo at={committedAt} />
        </span>
      </div>
      <p
        className="truncate pl-[calc(7ch+12px)] font-mono text-small text-faint"
        title={paths.map(plainLine).join('\n')}
      >
        {files === 0 ? 'merge' : paths.map(plainLine).join(', ')}
        {files > paths.length && ` and ${files - paths.length} more`}
      </p>
    </li>
  )
}
