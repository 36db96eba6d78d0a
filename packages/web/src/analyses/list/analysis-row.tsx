import { Link } from '@tanstack/react-router'
import type { AnalysisItem } from '@tidemark/wire/analysis'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { memo } from 'react'
import { StateMark } from '../../marks/analysis-state.tsx'
import { DeploySource } from '../../marks/deploy-source.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Sparkline } from '../../ui/sparkline.tsx'

/** The same columns for the head, the rows and their placeholders. */
export const COLUMNS =
  'lg:grid lg:grid-cols-[92px_minmax(0,1fr)_minmax(0,228px)_80px_56px_72px] lg:items-center lg:gap-4'

type RowProps = { projectId: string; analysis: AnalysisItem; isCurrent: boolean }

export const AnalysisRow = memo(function AnalysisRow({ projectId, analysis, isCurrent }: RowProps) {
  const { id, state, count, lastSeen, trend } = analysis
  const isQuiet = state === 'resolved' || state === 'ignored'
  return (
    <li className="border-b border-border last:border-0" data-analysis={id}>
      <Link
        to="/projects/$projectId/analyses/$analysisId"
        params={{ projectId, analysisId: id }}
        title={plainLine(analysis.rankReason)}
        className={classNames(
          'flex min-h-[56px] flex-col gap-1 border-l-[3px] py-2 pr-3 pl-2.5 hover:bg-hover',
          COLUMNS,
          isCurrent ? 'border-l-accent' : 'border-l-transparent',
        )}
      >
        <span className="flex items-center gap-3">
          <StateMark state={state} />
          <span className="ml-auto flex items-center gap-3 text-small text-muted tabular-nums lg:hidden">
            <span>{errors(count)}</span>
            <TimeAgo at={lastSeen} />
          </span>
        </span>
        <What analysis={analysis} isQuiet={isQuiet} />
        <Reason analysis={analysis} />
        <span className="hidden lg:block">
          {trend.length > 0 ? (
            <Sparkline counts={trend} label={`Trend of ${errors(count)}`} width={80} />
          ) : (
            <span className="text-faint" title="The records could not be counted">
              –
            </span>
          )}
        </span>
        <span className="hidden text-right tabular-nums lg:block" title={errors(count)}>
          {short(count)}
        </span>
        <span className="hidden text-right text-small text-muted lg:block">
          <TimeAgo at={lastSeen} />
        </span>
      </Link>
    </li>
  )
})

function What({ analysis, isQuiet }: { analysis: AnalysisItem; isQuiet: boolean }) {
  const { title, where, service, environment } = analysis
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span
        className={classNames(
          'font-mono text-small font-medium [overflow-wrap:anywhere] max-lg:line-clamp-2 lg:truncate',
          isQuiet && 'text-muted',
        )}
      >
        {plainLine(title)}
      </span>
      <span className="flex min-w-0 items-center gap-2 text-small text-muted">
        {where !== '' && <span className="min-w-0 truncate font-mono text-tiny">{plainLine(where)}</span>}
        {service !== '' && <span className="max-w-40 shrink-0 truncate">{plainLine(service)}</span>}
        <span className="max-w-32 shrink-0">
          <Badge>{plainLine(environment)}</Badge>
        </span>
      </span>
    </span>
  )
}

/** What changed before it, or why nobody knows. */
function Reason({ analysis: { correlatedDeploy, correlatedDeployReason } }: { analysis: AnalysisItem }) {
  if (correlatedDeploy !== null) {
    return (
      <span className="min-w-0">
        <DeployPhrase deploy={correlatedDeploy} />
      </span>
    )
  }
  return (
    <span
      className="line-clamp-2 min-w-0 text-small text-faint"
      title={correlatedDeployReason === null ? undefined : plainLine(correlatedDeployReason)}
    >
      {correlatedDeployReason === null ? 'No deploy is known before it' : plainLine(correlatedDeployReason)}
    </span>
  )
}

const errors = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'error' : 'errors'}`

function short(count: number): string {
  return new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(count)
}

/** What changed before it, in a phrase: `4 min 12 s after a1b2c3d`. Nothing where nothing is known. */
function DeployPhrase({ deploy }: { deploy: AnalysisItem['correlatedDeploy'] }) {
  if (deploy === null) return null
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 text-deploy">
      <span className="truncate">
        <span className="font-medium tabular-nums">{formatElapsed(deploy.elapsedSeconds)}</span> after{' '}
        <span className="font-mono text-small font-medium">{shortSha(deploy.sha)}</span>
      </span>
      {deploy.source === 'inferred' && <DeploySource source="inferred" />}
    </span>
  )
}
