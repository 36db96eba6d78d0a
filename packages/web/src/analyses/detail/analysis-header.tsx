import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { isSettled } from '@tidemark/wire/analyses/analysis-state'
import { counted } from '@tidemark/wire/text/counted'
import { useRole } from '../../api/roles.ts'
import { QuietMark, StateMark } from '../../marks/analysis-state.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { AnalysisActions } from '../actions/analysis-actions.tsx'
import { PeopleLine } from '../people/people-line.tsx'
import { ShareAnalysis } from './share-analysis.tsx'

type HeaderProps = { projectId: string; analysis: AnalysisDetail; url: string }

export function AnalysisHeader({ projectId, analysis, url }: HeaderProps) {
  const role = useRole(projectId)
  const { title, state, environment, service, count, users, firstSeen, lastSeen, stateChangedAt, stateChangedBy } =
    analysis
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <h1 className="min-w-0 flex-1 basis-80 font-mono text-title font-semibold text-balance [overflow-wrap:anywhere]">
          {plainLine(title)}
        </h1>
        <div className="flex flex-wrap items-start gap-2">
          <ShareAnalysis analysis={analysis} url={url} />
          {role !== 'viewer' && <AnalysisActions projectId={projectId} analysis={analysis} role={role} />}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted">
        <StateMark state={state} />
        <QuietMark analysis={analysis} />
        {isSettled(state) && stateChangedAt !== null && (
          <span className="text-small">
            <TimeAgo at={stateChangedAt} />
            {stateChangedBy !== null && ` by ${plainLine(stateChangedBy)}`}
          </span>
        )}
        <Badge>{plainLine(environment)}</Badge>
        {service !== '' && (
          <>
            <span>{plainLine(service)}</span>
            <Dot />
          </>
        )}
        <span className="tabular-nums">{counted(count, 'error')}</span>
        <Dot />
        {users !== undefined && users.count > 0 && (
          <>
            <span className="tabular-nums" title="In this episode">
              {counted(users.count, 'user')} affected
            </span>
            <Dot />
          </>
        )}
        <span>
          first seen <TimeAgo at={firstSeen} />
        </span>
        <Dot />
        <span>
          last seen <TimeAgo at={lastSeen} />
        </span>
        <PeopleLine projectId={projectId} analysis={analysis} role={role} />
      </div>
    </header>
  )
}

function Dot() {
  return <span aria-hidden="true">·</span>
}
