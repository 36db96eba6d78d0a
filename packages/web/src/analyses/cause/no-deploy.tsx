import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { Flag, GitBranch } from 'lucide-react'
import { repositoryQuery } from '../../api/repository.ts'
import { plainLine } from '../../text/plain-text.ts'
import { buttonClass } from '../../ui/button.tsx'
import type { PartId } from '../section.tsx'

/** No deploy can be named: says why, and what would name one next time. */
export function NoDeploy({ projectId, analysis }: { projectId: string; analysis: AnalysisDetail }) {
  const { data } = useQuery(repositoryQuery(projectId))
  const { correlatedDeployReason, environment } = analysis
  return (
    <section
      id={'deploy' satisfies PartId}
      aria-label="Correlated deploy"
      className="flex scroll-mt-4 flex-col gap-3 rounded-control border border-border bg-surface p-4"
    >
      <div>
        <h2 className="text-large font-semibold">No correlated deploy</h2>
        <p className="mt-0.5 [overflow-wrap:anywhere]">
          {correlatedDeployReason === null
            ? `No deploy is recorded in ${plainLine(environment)} before the first error.`
            : plainLine(correlatedDeployReason)}
        </p>
        <p className="mt-1 max-w-[76ch] text-muted">
          Record deploys from your CI, with the environment spelled exactly as in the records (
          <span className="font-mono text-small text-text">{plainLine(environment)}</span>)
          {data?.repository === null && ', or connect the repository, so that the commit of that time can stand in'}.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to="." search={(before) => ({ ...before, start: 'open' as const })} className={buttonClass()}>
          <Flag size={14} className="text-deploy" aria-hidden="true" />
          Record deploys
        </Link>
        {data?.repository === null && (
          <Link
            to="/projects/$projectId/settings/$section"
            params={{ projectId, section: 'repository' }}
            className={buttonClass()}
          >
            <GitBranch size={14} aria-hidden="true" />
            Connect the repository
          </Link>
        )}
      </div>
    </section>
  )
}
