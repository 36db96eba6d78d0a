import { useQuery } from '@tanstack/react-query'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { anchorWords } from '@tidemark/wire/analyses/correlated-words'
import { Flag } from 'lucide-react'
import { repositoryQuery } from '../../api/repository.ts'
import { RepositoryLink, StartLink } from '../../connect/setup-links.tsx'
import { plainLine, plainSentence } from '../../text/plain-text.ts'
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
            ? `No deploy is recorded in ${plainLine(environment)} before ${anchorWords(analysis)}.`
            : plainSentence(correlatedDeployReason)}
        </p>
        <p className="mt-1 max-w-[76ch] text-muted">
          Record deploys from your CI, with the environment spelled exactly as in the records (
          <span className="font-mono text-small text-text">{plainLine(environment)}</span>)
          {data?.repository === null && ', or connect the repository, so that the commit of that time can stand in'}.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <StartLink>
          <Flag size={14} className="text-deploy" aria-hidden="true" />
          Record deploys
        </StartLink>
        {data?.repository === null && <RepositoryLink projectId={projectId} />}
      </div>
    </section>
  )
}
