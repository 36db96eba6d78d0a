/** The answer, before anything else: what caused it, how sure that is, and what speaks for and against it. */
import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { CauseKind, LikelyCause } from '@tidemark/wire/analyses/cause'
import { causeLead } from '@tidemark/wire/analyses/cause-words'
import { isCorrelatedCause } from '@tidemark/wire/analyses/is-correlated-cause'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { CAUSE_LOOK, CauseMark, causeTone } from '../../marks/cause-mark.tsx'
import { CommitLine, CommitPlace } from '../../marks/commit-line.tsx'
import { ConfidenceMark } from '../../marks/confidence-mark.tsx'
import { ExactTime } from '../../marks/exact-time.tsx'
import { plainLine, plainSentence } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { PartId } from '../section.tsx'
import { CorrelatedCommits } from './correlated-commits.tsx'
import { DeployWarning } from './deploy-card.tsx'
import { type Correlated, DeployFacts } from './deploy-facts.tsx'
import { Evidence } from './evidence.tsx'

const WHEN: Record<CauseKind, string> = {
  deploy: 'Deployed',
  commit: 'Committed',
  configuration: 'Changed',
  dependency: 'Since',
  environment: 'Since',
  data: 'Since',
  load: 'Since',
  unknown: 'Since',
}

/** Violet as everywhere, solid for a deploy, dashed for a commit that no deploy was recorded of. */
const EDGES: Partial<Record<CauseKind, string>> = {
  deploy: 'border-border border-l-deploy',
  commit: 'border-dashed border-deploy',
  unknown: 'border-border border-l-strong-border',
}

type CauseProps = { projectId: string; cause: LikelyCause }

/** Where there is no cause the summary has said so, and only what was weighed is left to show. */
export const hasCauseCard = ({ likelyCause: { kind, rivals } }: Pick<AnalysisDetail, 'likelyCause'>): boolean =>
  kind !== 'unknown' || rivals.length > 0

export function CauseCard({ projectId, analysis }: { projectId: string; analysis: AnalysisDetail }) {
  const { likelyCause: cause } = analysis
  const isKnown = cause.kind !== 'unknown'
  // What ran when it began is shown here if it is the cause, and otherwise in a card of its own.
  const deploy = isCorrelatedCause(analysis) ? analysis.correlatedDeploy : null
  return (
    <section
      id={'cause' satisfies PartId}
      aria-label={causeLead(cause)}
      className={classNames(
        'scroll-mt-4 rounded-control border border-l-4 bg-surface',
        (isKnown && cause.confidence === 'low' ? undefined : EDGES[cause.kind]) ?? 'border-border border-l-muted',
      )}
    >
      <div className="flex flex-col gap-2.5 px-4 py-3">
        <div className="flex flex-col gap-0.5">
          <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <h2 className="text-small font-medium text-muted">{causeLead(cause)}</h2>
            {isKnown && (
              <>
                <CauseMark kind={cause.kind} />
                <ConfidenceMark confidence={cause.confidence} />
              </>
            )}
          </div>
          {isKnown && <Title projectId={projectId} cause={cause} deploy={deploy} />}
          {deploy === null && cause.at !== null && (
            <p className="text-muted">
              {WHEN[cause.kind]} <ExactTime at={cause.at} /> · <TimeAgo at={cause.at} />
            </p>
          )}
        </div>
        {deploy !== null && (
          <section id={'deploy' satisfies PartId} aria-label="Correlated deploy" className="scroll-mt-4">
            <DeployFacts
              projectId={projectId}
              analysis={analysis}
              deploy={deploy}
              isMessageTold={cause.commit?.sha === deploy.sha}
            />
          </section>
        )}
        {cause.commit !== null && <GuiltyCommit commit={cause.commit} />}
        <Evidence {...cause} isWeighed={isKnown} />
      </div>
      {deploy !== null && <DeployWarning deploy={deploy} />}
      {deploy !== null && <Brought projectId={projectId} deploy={deploy} previous={analysis.previousDeploy} />}
      <Rivals cause={cause} />
    </section>
  )
}

type BroughtProps = { projectId: string; deploy: Correlated; previous: AnalysisDetail['previousDeploy'] }

/** The commits, folded. Where none are known, what it replaced is all there is to say, and nothing to unfold. */
function Brought({ projectId, deploy, previous }: BroughtProps) {
  if (deploy.commits === null || deploy.commits.commits.length === 0) {
    return <CorrelatedCommits projectId={projectId} deploy={deploy} previous={previous} />
  }
  return (
    <details className="group border-t border-border">
      <FoldedSummary>{plainSentence(deploy.commits.summary)}</FoldedSummary>
      <CorrelatedCommits projectId={projectId} deploy={deploy} previous={previous} isUnfolded />
    </details>
  )
}

function FoldedSummary({ children }: { children: ReactNode }) {
  return (
    <summary className="flex min-h-8 pointer-coarse:min-h-control cursor-pointer list-none items-center gap-1.5 px-4 text-small text-muted hover:bg-hover hover:text-text">
      <ChevronRight
        size={12}
        className="shrink-0 transition-transform duration-[120ms] group-open:rotate-90"
        aria-hidden="true"
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </summary>
  )
}

type TitleProps = CauseProps & { deploy: Correlated | null }

/** How long before the errors it was, the line below says exactly where that line is there. */
function Title({ projectId, cause, deploy }: TitleProps) {
  const { kind, title, deployId } = cause
  const isDeploy = deploy !== null && deploy.deployId !== null
  const named = isDeploy ? `Deploy of ${shortSha(deploy.sha)} to ${plainLine(deploy.environment)}` : plainLine(title)
  const words = named || CAUSE_LOOK[kind].word
  const className = classNames(
    'line-clamp-3 text-title font-semibold text-balance [overflow-wrap:anywhere]',
    causeTone(cause),
  )
  if (deployId === null) {
    return (
      <p className={className} title={words}>
        {words}
      </p>
    )
  }
  return (
    <p className={className} title={words}>
      <Link
        to="/projects/$projectId/deploys/$deployId"
        params={{ projectId, deployId }}
        className="rounded-[2px] underline-offset-[3px] -outline-offset-2 hover:underline"
      >
        {words}
      </Link>
    </p>
  )
}

function GuiltyCommit({ commit }: { commit: NonNullable<LikelyCause['commit']> }) {
  return (
    <div className="rounded-control border border-border bg-background px-3 py-2">
      <CommitLine commit={commit} canCopy>
        <p className="flex min-w-0">
          <CommitPlace file={commit.file} line={commit.line} />
        </p>
      </CommitLine>
    </div>
  )
}

/** Open where there is no answer: then what was weighed, and why it is not it, is all there is to say. */
function Rivals({ cause: { kind, rivals } }: { cause: LikelyCause }) {
  if (rivals.length === 0) return null
  return (
    <details className="group border-t border-border" open={kind === 'unknown'}>
      <FoldedSummary>Also weighed: {rivals.length}</FoldedSummary>
      <ul aria-label="Also weighed" className="flex flex-col gap-2 px-4 pt-1 pb-3">
        {rivals.map((rival) => (
          <li key={`${rival.kind} ${rival.title} ${rival.reason}`} className="flex flex-col sm:flex-row sm:gap-3">
            <span className="shrink-0 sm:w-28">
              <CauseMark kind={rival.kind} />
            </span>
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <span className="line-clamp-2" title={plainLine(rival.title)}>
                {plainLine(rival.title)}
              </span>
              <span className="block text-muted">{plainSentence(rival.reason)}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
