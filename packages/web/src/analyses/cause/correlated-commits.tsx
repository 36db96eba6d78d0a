import { Link } from '@tanstack/react-router'
import { commitWords } from '@tidemark/wire/deploys/commit-words'
import type { Deploy } from '@tidemark/wire/deploys/deploy'
import { withCommas } from '@tidemark/wire/text/counted'
import { CommitLine } from '../../marks/commit-line.tsx'
import { plainSentence } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import type { Correlated } from './deploy-facts.tsx'

const SHOWN = 3

type CommitsProps = {
  projectId: string
  deploy: Correlated
  previous: Deploy | null
  /** What unfolds it has said the summary. */
  isUnfolded?: boolean
}

/** What the deploy brought against the one before it; its own page has the rest. */
export function CorrelatedCommits({ projectId, deploy, previous, isUnfolded = false }: CommitsProps) {
  const { commits, deployId, deployedAt, isRollback = false } = deploy
  const hasReplaced = previous !== null && deployedAt !== null
  if (commits === null && !hasReplaced) return null
  return (
    <div className="flex flex-col gap-2 border-t border-border px-4 py-3">
      {commits !== null && (
        <Commits
          projectId={projectId}
          commits={commits}
          deployId={deployId}
          isRollback={isRollback}
          isSummed={!isUnfolded}
        />
      )}
      {hasReplaced && (
        <p className="text-small text-muted">
          It replaced{' '}
          <Link
            to="/projects/$projectId/deploys/$deployId"
            params={{ projectId, deployId: previous.id }}
            className="font-mono text-deploy hover:underline"
          >
            {shortSha(previous.sha)}
          </Link>
          , deployed {earlierWords(Date.parse(deployedAt) - Date.parse(previous.deployedAt))}.
        </p>
      )}
    </div>
  )
}

/** CI systems know whole seconds, so two deploys may be of one moment. */
function earlierWords(lengthMs: number): string {
  return lengthMs > 0 ? `${formatElapsed(lengthMs / 1_000)} earlier` : 'at the same moment'
}

type ListProps = {
  projectId: string
  commits: NonNullable<Correlated['commits']>
  deployId: string | null
  isRollback: boolean
  isSummed: boolean
}

function Commits({ projectId, commits: brought, deployId, isRollback, isSummed }: ListProps) {
  const { summary, total, commits } = brought
  const shown = commits.slice(0, SHOWN)
  const more = Math.max(total, commits.length) - shown.length
  return (
    <>
      {isSummed && <p className="[overflow-wrap:anywhere]">{plainSentence(summary)}</p>}
      {shown.length > 0 && (
        <ol aria-label={`Commits it ${commitWords(brought, isRollback)}`} className="flex flex-col gap-1">
          {shown.map((commit) => (
            <li key={commit.sha}>
              <CommitLine commit={commit} />
            </li>
          ))}
          {more > 0 && deployId !== null && (
            <li className="text-small">
              <Link
                to="/projects/$projectId/deploys/$deployId"
                params={{ projectId, deployId }}
                className="text-deploy hover:underline"
              >
                and {withCommas(more)} more
              </Link>
            </li>
          )}
        </ol>
      )}
    </>
  )
}
