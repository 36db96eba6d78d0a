import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { isCorrelatedCause } from '@tidemark/wire/analyses/is-correlated-cause'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { ExternalLink, Flag, TriangleAlert } from 'lucide-react'
import { ConfidenceMark } from '../../marks/confidence-mark.tsx'
import { DeploySource } from '../../marks/deploy-source.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatFull } from '../../time/format-time.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import type { PartId } from '../section.tsx'
import { CorrelatedCommits } from './correlated-commits.tsx'
import { Evidence } from './evidence.tsx'

type Deploy = NonNullable<AnalysisDetail['correlatedDeploy']>
type CardProps = { projectId: string; analysis: AnalysisDetail; deploy: Deploy }

/**
 * What ran when it began. Solid when a deploy was recorded, dashed when it was inferred from the repository. Where it is not
 * the likely cause it is told quietly, with why it is not; where it is, the cause has told the evidence.
 */
export function DeployCard({ projectId, analysis, deploy }: CardProps) {
  const isRecorded = deploy.source === 'recorded'
  const isCause = isCorrelatedCause(analysis)
  return (
    <section
      id={'deploy' satisfies PartId}
      aria-label="Correlated deploy"
      className={classNames(
        'scroll-mt-4 rounded-control border bg-surface',
        isCause ? 'border-l-4' : 'border-l-2',
        isRecorded ? 'border-border border-l-deploy' : 'border-dashed border-deploy',
      )}
    >
      <div className="flex flex-col gap-3 p-4">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <h2 className="text-small font-medium text-muted">{titleOf(deploy, isCause)}</h2>
          <ConfidenceMark confidence={deploy.confidence} />
        </div>
        <div className="flex flex-wrap items-start gap-x-8 gap-y-3">
          <Elapsed analysis={analysis} deploy={deploy} />
          <Facts deploy={deploy} />
          <Ways projectId={projectId} deploy={deploy} />
        </div>
        {!isCause && <Evidence {...deploy} />}
      </div>
      {deploy.warning !== null && (
        <p className="flex items-start gap-2 border-t border-border px-4 py-2.5 text-warn">
          <TriangleAlert size={15} className="mt-0.5 shrink-0" aria-hidden="true" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{plainLine(deploy.warning)}</span>
        </p>
      )}
      <CorrelatedCommits projectId={projectId} deploy={deploy} previous={analysis.previousDeploy} />
    </section>
  )
}

function titleOf({ source }: Deploy, isCause: boolean): string {
  if (isCause) return 'Correlated deploy'
  return source === 'recorded' ? 'Deployed before it' : 'Committed before it'
}

function Elapsed({ analysis, deploy }: Omit<CardProps, 'projectId'>) {
  const began = analysis.episodes[0]?.began ?? 'first'
  return (
    <div className="w-52 shrink-0">
      <p className="text-title font-semibold text-deploy tabular-nums">{formatElapsed(deploy.elapsedSeconds)}</p>
      <p className="text-small text-muted">
        from the {deploy.source === 'recorded' ? 'deploy' : 'commit'} to{' '}
        {began === 'first' ? 'the first error' : 'the error that brought it back'}
      </p>
    </div>
  )
}

function Facts({ deploy }: { deploy: Deploy }) {
  const { zone } = usePreferences()
  const { source, sha, environment, deployedAt, committedAt, ref, author, message, commits } = deploy
  const at = deployedAt ?? committedAt
  return (
    <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1">
      <p className="flex min-w-0 flex-wrap items-center gap-2">
        <DeploySource source={source} />
        <span className="flex min-w-0 items-center gap-1">
          <span className="truncate font-mono text-large font-semibold text-deploy" title={plainLine(sha)}>
            {shortSha(sha)}
          </span>
          <CopyIcon text={sha} label="Copy the whole SHA" />
        </span>
        <Badge>{plainLine(environment)}</Badge>
        {commits?.step === 'rollback' && <Badge tone="deploy">Rollback</Badge>}
      </p>
      {at !== null && (
        <p className="text-muted tabular-nums">
          {deployedAt === null ? 'Committed' : 'Deployed'}{' '}
          <time dateTime={at} className="whitespace-nowrap">
            {formatFull(at, zone)}
          </time>{' '}
          · <TimeAgo at={at} />
        </p>
      )}
      {(ref !== null || author !== null) && (
        <p className="flex min-w-0 gap-2 text-muted">
          {ref !== null && <span className="truncate font-mono text-small">{plainLine(ref)}</span>}
          {author !== null && <span className="truncate">by {plainLine(author)}</span>}
        </p>
      )}
      {message !== null && message !== '' && (
        <p className="line-clamp-2 [overflow-wrap:anywhere]" title={plainLine(message)}>
          {plainLine(message.split('\n')[0] ?? '')}
        </p>
      )}
    </div>
  )
}

function Ways({ projectId, deploy: { deployId, url } }: { projectId: string; deploy: Deploy }) {
  return (
    <div className="flex flex-wrap gap-2">
      {deployId !== null && (
        <Link
          to="/projects/$projectId/deploys/$deployId"
          params={{ projectId, deployId }}
          className={classNames(buttonClass(), '!text-deploy')}
        >
          <Flag size={14} aria-hidden="true" />
          Open the deploy
        </Link>
      )}
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer noopener" className={buttonClass()}>
          <ExternalLink size={14} aria-hidden="true" />
          CI run
        </a>
      )}
    </div>
  )
}
