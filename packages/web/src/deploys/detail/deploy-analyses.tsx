import { Link } from '@tanstack/react-router'
import type { Deploy } from '@tidemark/wire/deploys/deploy'
import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import type { DeployDetailAnswer } from '@tidemark/wire/reading/deploys'
import { counted } from '@tidemark/wire/text/counted'
import { CircleCheck } from 'lucide-react'
import { StateMark } from '../../marks/analysis-state.tsx'
import { CauseTitle } from '../../marks/cause-mark.tsx'
import { ConfidenceMark } from '../../marks/confidence-mark.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { formatFull } from '../../time/format-time.ts'
import { EmptyPart } from '../../ui/empty.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { blameWords, whenWords } from './analysis-words.ts'
import { Part, PartList } from './part.tsx'

type Lists = Pick<DeployDetailAnswer, 'introduced' | 'regressed' | 'gone'>
type AnalysesProps = { projectId: string; deploy: Deploy; lists: Lists }

/** What came, came back and went with it, each with whether the deploy is the cause. */
export function DeployAnalyses({ projectId, deploy, lists: { introduced, regressed, gone } }: AnalysesProps) {
  const { id, environment, deployedAt } = deploy
  const list = (analyses: readonly DeployAnalysis[], hasEnded = false) => (
    <PartList items={analyses} keyOf={(one) => `${one.id} ${one.onset}`}>
      {(analysis) => <AnalysisLine {...{ projectId, deployedAt, analysis, hasEnded }} />}
    </PartList>
  )
  // Some began before the deploy was recorded.
  const [earliest] = [deployedAt, ...[...introduced, ...regressed].map(({ onset }) => onset)].sort()
  const all = (
    <Link
      to="/projects/$projectId/analyses"
      params={{ projectId }}
      search={{ environment, from: earliest, to: undefined, introducedBy: id }}
      className="text-accent hover:underline"
    >
      View in analyses
    </Link>
  )
  return (
    <>
      <Part
        title="Introduced analyses"
        aside={introduced.length > 0 && 'first seen while it ran, or because of it'}
        action={introduced.length > 0 && all}
      >
        {introduced.length === 0 ? <EmptyPart>No analysis began with this deploy.</EmptyPart> : list(introduced)}
      </Part>
      {regressed.length > 0 && (
        <Part title="Analyses that came back or grew" aside="known before this deploy">
          {list(regressed)}
        </Part>
      )}
      {gone.length > 0 && (
        <Part title="Ended analyses" aside="their errors ended with this deploy">
          {list(gone, true)}
        </Part>
      )}
    </>
  )
}

type LineProps = { projectId: string; deployedAt: string; analysis: DeployAnalysis; hasEnded: boolean }

function AnalysisLine({ projectId, deployedAt, analysis, hasEnded }: LineProps) {
  const { zone } = usePreferences()
  const { id, state, title, service, count, onset, end } = analysis
  return (
    <Link
      to="/projects/$projectId/analyses/$analysisId"
      params={{ projectId, analysisId: id }}
      className="grid grid-cols-[minmax(0,1fr)_max-content] items-baseline gap-x-3 gap-y-1 px-3 py-2 hover:bg-hover sm:grid-cols-[88px_minmax(0,1fr)_max-content]"
    >
      {hasEnded ? <EndedMark /> : <StateMark state={state} />}
      <span className="line-clamp-2 min-w-0 font-mono text-small font-medium [overflow-wrap:anywhere] max-sm:order-last max-sm:col-span-2">
        {plainLine(title)}
      </span>
      <span className="text-right text-small text-muted tabular-nums">{counted(count, 'error')}</span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-0.5 text-small text-muted max-sm:order-last max-sm:col-span-2 sm:col-span-2 sm:col-start-2">
        {service !== '' && <span className="min-w-0 truncate">{plainLine(service)}</span>}
        <span className="tabular-nums" title={formatFull(hasEnded ? (end ?? onset) : onset, zone)}>
          {whenWords(analysis, deployedAt, hasEnded)}
        </span>
        {!hasEnded && <Blame analysis={analysis} />}
      </span>
    </Link>
  )
}

/** In place of its state: an analysis stays open until somebody resolves it, however long it is silent. */
function EndedMark() {
  return (
    <span className="text-small font-medium whitespace-nowrap text-good">
      <CircleCheck size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
      Ended
    </span>
  )
}

/** That it began then does not make the deploy its cause. */
function Blame({ analysis }: { analysis: DeployAnalysis }) {
  const { countsAgainst, likelyCause } = analysis
  if (countsAgainst) {
    return (
      <>
        <span className="font-medium text-deploy">{blameWords(analysis)}</span>
        {likelyCause !== null && <ConfidenceMark confidence={likelyCause.confidence} />}
      </>
    )
  }
  return (
    <>
      <span>{blameWords(analysis)}</span>
      {likelyCause !== null && likelyCause.kind !== 'unknown' && (
        <CauseTitle cause={likelyCause} className="line-clamp-2 min-w-0 basis-full [overflow-wrap:anywhere]" />
      )}
    </>
  )
}
