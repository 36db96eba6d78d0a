import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { DeployStatus } from '../../marks/deploy-status.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { formatFull } from '../../time/format-time.ts'
import { usePreferences } from '../../ui/preferences.ts'
import type { PartId } from '../section.tsx'

/** Beside the deploy, never instead of it: an attempt that failed may still have changed something. */
export function FailedDeploys({ projectId, analysis }: { projectId: string; analysis: AnalysisDetail }) {
  const { zone } = usePreferences()
  const { failedDeploys, anchor } = analysis
  if (failedDeploys.length === 0) return null
  return (
    <section
      id={'failed-deploys' satisfies PartId}
      aria-label="Failed deploys"
      className="scroll-mt-4 rounded-control border border-border bg-surface"
    >
      <h2 className="border-b border-border px-4 py-2 text-small font-medium text-muted">
        Failed or cancelled within the hour before
      </h2>
      <ul>
        {failedDeploys.map(({ id, sha, status, deployedAt, ref, author }) => (
          <li key={id} className="border-b border-border last:border-0">
            <Link
              to="/projects/$projectId/deploys/$deployId"
              params={{ projectId, deployId: id }}
              title={formatFull(deployedAt, zone)}
              className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 text-muted hover:bg-hover"
            >
              <span className="w-24">
                <DeployStatus status={status} />
              </span>
              <span className="font-mono text-small">{shortSha(sha)}</span>
              <span className="min-w-0 flex-1 truncate">
                {ref !== null && <span className="font-mono text-small">{plainLine(ref)}</span>}
                {author !== null && ` by ${plainLine(author)}`}
              </span>
              <span className="tabular-nums">
                {formatElapsed((Date.parse(anchor) - Date.parse(deployedAt)) / 1_000)} before
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
