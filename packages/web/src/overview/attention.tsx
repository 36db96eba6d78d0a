/** The analyses that need a look: the one that the headline names, then what came back, what is new, and what spiked. */
import { Link } from '@tanstack/react-router'
import { OPEN_STATES, spikeWord } from '@tidemark/wire/analyses/analysis-state'
import { causedWords } from '@tidemark/wire/analyses/cause-words'
import type { OverviewAnalysis, OverviewAnswer } from '@tidemark/wire/reading/overview'
import { withCommas } from '@tidemark/wire/text/counted'
import { TrendingUp } from 'lucide-react'
import { QuietMark, STATE_LOOK, StateMark } from '../marks/analysis-state.tsx'
import { CauseTitle } from '../marks/cause-mark.tsx'
import { ConfidenceMark } from '../marks/confidence-mark.tsx'
import { errorsInRange } from '../marks/errors-in-range.ts'
import { levelLook } from '../marks/level-look.ts'
import { capitalised } from '../text/capitalised.ts'
import { plainLine } from '../text/plain-text.ts'
import { shortCount } from '../text/short-count.ts'
import { TimeAgo } from '../time/time-ago.tsx'
import { isTrendUnfinished } from '../time/unfinished.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Sparkline } from '../ui/sparkline.tsx'
import { needingALook } from './first-to-look-at.ts'
import type { Asked } from './links.ts'
import { Calm, Panel } from './panel.tsx'

/** Of each kind; the list of all is one click away. */
const SHOWN_OF_A_KIND = 5
const LINK = 'rounded-[2px] text-accent hover:underline'

type AttentionProps = { projectId: string; asked: Asked; overview: OverviewAnswer }

export function Attention({ projectId, asked, overview }: AttentionProps) {
  const rows = needingALook(overview, SHOWN_OF_A_KIND)
  return (
    <Panel
      id="attention"
      title="Needs a look"
      aside={<Totals projectId={projectId} asked={asked} overview={overview} />}
      action={
        <Link to="/projects/$projectId/analyses" params={{ projectId }} search={asked} className={LINK}>
          View all<span className="sr-only"> analyses</span>
        </Link>
      }
    >
      {rows.length === 0 ? (
        <Calm>No analysis is new, came back or spiked in this time.</Calm>
      ) : (
        <ul aria-label="Analyses that need a look">
          {rows.map((analysis) => (
            <AttentionRow
              key={analysis.id}
              projectId={projectId}
              analysis={analysis}
              isTrendUnfinished={isTrendUnfinished(overview.window)}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** All there are of each open state, whether or not they are in the list. */
function Totals({ projectId, asked, overview: { states } }: AttentionProps) {
  const told = OPEN_STATES.filter((state) => (states[state] ?? 0) > 0)
  return (
    <span className="flex flex-wrap gap-x-3">
      {told.map((state) => (
        <Link
          key={state}
          to="/projects/$projectId/analyses"
          params={{ projectId }}
          search={{ ...asked, state }}
          className="rounded-[2px] tabular-nums hover:text-text hover:underline"
        >
          {withCommas(states[state] ?? 0)} {STATE_LOOK[state].word.toLowerCase()}
        </Link>
      ))}
    </span>
  )
}

type RowProps = { projectId: string; analysis: OverviewAnalysis; isTrendUnfinished: boolean }

function AttentionRow({ projectId, analysis, isTrendUnfinished: isUnfinished }: RowProps) {
  const { id, title, state, level, service, environment, anchor, trend } = analysis
  const errors = errorsInRange(analysis)
  return (
    <li className="border-b border-border last:border-0">
      <Link
        to="/projects/$projectId/analyses/$analysisId"
        params={{ projectId, analysisId: id }}
        title={plainLine(analysis.rankReason)}
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-3 py-2.5 hover:bg-hover sm:grid-cols-[100px_minmax(0,1fr)_80px_48px]"
      >
        <span className="flex items-center gap-2 self-start sm:flex-wrap">
          {state === 'ongoing' ? <SpikeMark word={spikeWord(analysis)} /> : <StateMark state={state} />}
          <QuietMark analysis={analysis} />
        </span>
        <span className="flex min-w-0 flex-col gap-1 max-sm:order-last max-sm:col-span-2">
          <span className="line-clamp-2 font-mono text-small font-medium [overflow-wrap:anywhere]">
            {plainLine(title)}
          </span>
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
            <span className={classNames('font-medium', levelLook(level).text)}>{level}</span>
            {service !== '' && <span className="max-w-64 truncate max-sm:max-w-40">{plainLine(service)}</span>}
            <span className="max-w-32">
              <Badge>{plainLine(environment)}</Badge>
            </span>
            <span>
              began <TimeAgo at={anchor} />
            </span>
          </span>
          <Cause analysis={analysis} />
        </span>
        <span className="self-center max-sm:hidden">
          {trend.length > 0 ? (
            <Sparkline counts={trend} label={`Trend of ${errors.words}`} width={80} isLastUnfinished={isUnfinished} />
          ) : (
            <span className="text-faint" title="The records could not be counted">
              –
            </span>
          )}
        </span>
        <span className="self-center text-right tabular-nums max-sm:text-small max-sm:text-muted" title={errors.title}>
          {shortCount(errors.count)}
          <span className="sm:sr-only"> {errors.count === 1 ? 'error' : 'errors'}</span>
          {errors.isInAll && <span className="text-small whitespace-nowrap text-muted sm:block"> in all</span>}
        </span>
      </Link>
    </li>
  )
}

function SpikeMark({ word }: { word: ReturnType<typeof spikeWord> }) {
  return (
    <span
      className={classNames(
        'text-small font-medium whitespace-nowrap',
        word === 'spiking' ? 'text-warn' : 'text-muted',
      )}
    >
      <TrendingUp size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
      {capitalised(word)}
    </span>
  )
}

function Cause({ analysis: { likelyCause } }: { analysis: OverviewAnalysis }) {
  const isKnown = likelyCause.kind !== 'unknown'
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-small">
      {isKnown && <ConfidenceMark confidence={likelyCause.confidence} />}
      <CauseTitle
        cause={likelyCause}
        className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]"
        lead={isKnown && <span className="text-muted">{causedWords(likelyCause.confidence)} </span>}
      />
    </span>
  )
}
