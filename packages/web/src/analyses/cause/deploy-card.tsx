import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { TriangleAlert } from 'lucide-react'
import { ConfidenceMark } from '../../marks/confidence-mark.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { classNames } from '../../ui/class-names.ts'
import type { PartId } from '../section.tsx'
import { CorrelatedCommits } from './correlated-commits.tsx'
import { type Correlated, DeployFacts } from './deploy-facts.tsx'
import { Evidence } from './evidence.tsx'

type CardProps = { projectId: string; analysis: AnalysisDetail; deploy: Correlated }

/**
 * What ran when it began, where that is not the likely cause: shown quietly, with the reason why not. Solid when a deploy was
 * recorded, dashed when it was inferred from the repository.
 */
export function DeployCard({ projectId, analysis, deploy }: CardProps) {
  const isRecorded = deploy.source === 'recorded'
  return (
    <section
      id={'deploy' satisfies PartId}
      aria-label="Correlated deploy"
      className={classNames(
        'scroll-mt-4 rounded-control border border-l-2 bg-surface',
        isRecorded ? 'border-border border-l-deploy' : 'border-dashed border-deploy',
      )}
    >
      <div className="flex flex-col gap-3 p-4">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <h2 className="text-small font-medium text-muted">
            {isRecorded ? 'Deployed before it' : 'Committed before it'}
          </h2>
          <ConfidenceMark confidence={deploy.confidence} />
        </div>
        <DeployFacts projectId={projectId} analysis={analysis} deploy={deploy} />
        <Evidence {...deploy} />
      </div>
      <DeployWarning deploy={deploy} />
      <CorrelatedCommits projectId={projectId} deploy={deploy} previous={analysis.previousDeploy} />
    </section>
  )
}

/** That it was inferred, and from what. */
export function DeployWarning({ deploy: { warning } }: { deploy: Correlated }) {
  if (warning === null) return null
  return (
    <p className="flex items-start gap-2 border-t border-border px-4 py-2.5 text-warn">
      <TriangleAlert size={15} className="mt-0.5 shrink-0" aria-hidden="true" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{plainLine(warning)}</span>
    </p>
  )
}
