import { Link } from '@tanstack/react-router'
import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { isSettled } from '@tidemark/wire/analyses/analysis-state'
import type { BriefNotes } from '@tidemark/wire/analyses/notes'
import { counted } from '@tidemark/wire/text/counted'
import { MessageSquare, Ticket, UserRound } from 'lucide-react'
import { memo } from 'react'
import { QuietMark, StateMark } from '../../marks/analysis-state.tsx'
import { CauseTitle } from '../../marks/cause-mark.tsx'
import { ConfidenceMark } from '../../marks/confidence-mark.tsx'
import { errorsInRange } from '../../marks/errors-in-range.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortCount } from '../../text/short-count.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Sparkline } from '../../ui/sparkline.tsx'

/** The same columns for the head, the rows and their placeholders. */
export const COLUMNS = 'lg:grid lg:grid-cols-[92px_minmax(0,6fr)_minmax(0,5fr)_80px_56px_72px] lg:items-center lg:gap-4'

type RowProps = {
  projectId: string
  analysis: AnalysisItem
  isCurrent: boolean
  isChosen: boolean
  isTrendUnfinished: boolean
  /** Undefined for people who may change nothing. */
  onChoose: ((id: string, isRange: boolean) => void) | undefined
}

/** Beside the row, where there is a box to choose it with. */
export const BOX_WIDTH = 'w-9'

export const AnalysisRow = memo(function AnalysisRow(props: RowProps) {
  const { projectId, analysis, isCurrent, isChosen, isTrendUnfinished, onChoose } = props
  const { id, state, lastSeen, trend } = analysis
  const errors = errorsInRange(analysis)
  return (
    <li
      className={classNames('flex border-b border-border last:border-0', isChosen && 'bg-accent-surface')}
      data-analysis={id}
    >
      {onChoose && <Box analysis={analysis} isChosen={isChosen} onChoose={onChoose} />}
      <Link
        to="/projects/$projectId/analyses/$analysisId"
        params={{ projectId, analysisId: id }}
        title={plainLine(analysis.rankReason)}
        className={classNames(
          'flex min-h-[56px] min-w-0 flex-1 flex-col gap-1 border-l-[3px] py-2 pr-3 hover:bg-hover',
          onChoose ? 'pl-1' : 'pl-2.5',
          COLUMNS,
          isCurrent ? 'border-l-accent' : 'border-l-transparent',
        )}
      >
        <span className="flex items-center gap-x-2 gap-y-1 lg:flex-wrap">
          <StateMark state={state} />
          <QuietMark analysis={analysis} />
          <span className="ml-auto flex items-center gap-3 text-small text-muted tabular-nums lg:hidden">
            <span title={errors.title}>{errors.words}</span>
            <TimeAgo at={lastSeen} />
          </span>
        </span>
        <What analysis={analysis} />
        <Cause analysis={analysis} />
        <span className="hidden lg:block">
          {trend.length > 0 ? (
            <Sparkline
              counts={trend}
              label={`Trend of ${errors.words}`}
              width={80}
              isLastUnfinished={isTrendUnfinished}
            />
          ) : (
            <span className="text-faint" title="The records could not be counted">
              –
            </span>
          )}
        </span>
        <span className="hidden text-right tabular-nums lg:block" title={errors.title}>
          {shortCount(errors.count)}
          {errors.isInAll && <span className="block text-small text-muted">in all</span>}
        </span>
        <span className="hidden text-right text-small text-muted lg:block">
          <TimeAgo at={lastSeen} />
        </span>
      </Link>
    </li>
  )
})

type BoxProps = Pick<RowProps, 'analysis' | 'isChosen'> & { onChoose: NonNullable<RowProps['onChoose']> }

/** A click with Shift takes all rows from the last one chosen. The whole label is its target. */
function Box({ analysis: { id, title }, isChosen, onChoose }: BoxProps) {
  return (
    <label className={classNames('flex shrink-0 cursor-pointer items-center justify-center hover:bg-hover', BOX_WIDTH)}>
      <span className="sr-only">Select {plainLine(title)}</span>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChoose(id, (event.nativeEvent as MouseEvent).shiftKey === true)}
      />
    </label>
  )
}

function What({ analysis }: { analysis: AnalysisItem }) {
  const { title, state, where, service, environment, notes } = analysis
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span
        className={classNames(
          'font-mono text-small font-medium [overflow-wrap:anywhere] max-lg:line-clamp-2 lg:truncate',
          isSettled(state) && 'text-muted',
        )}
      >
        {plainLine(title)}
      </span>
      {/* On a phone the notes have a line of their own where there is no room beside the place. */}
      <span className="flex min-w-0 items-center gap-x-2 gap-y-1 text-small text-muted max-sm:flex-wrap">
        <span className="flex min-w-0 max-w-full items-center gap-2 sm:contents">
          {where !== '' && <span className="min-w-0 truncate font-mono text-tiny">{plainLine(where)}</span>}
          {service !== '' && <span className="max-w-40 shrink-0 truncate">{plainLine(service)}</span>}
          <span className="max-w-32 shrink-0">
            <Badge>{plainLine(environment)}</Badge>
          </span>
        </span>
        {notes && <Notes notes={notes} />}
      </span>
    </span>
  )
}

/** Who looks after it, whether there is a ticket, and how much was said: signs with their words beside them or behind. */
function Notes({ notes: { assignee, ticket, comments } }: { notes: BriefNotes }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      {assignee !== null && (
        <span className="flex min-w-0 items-center gap-1" title={`Assigned to ${plainLine(assignee)}`}>
          <UserRound size={12} className="shrink-0" aria-hidden="true" />
          <span className="sr-only">Assigned to </span>
          <span className="max-w-28 truncate">{plainLine(assignee)}</span>
        </span>
      )}
      {ticket !== null && (
        <span title={plainLine(ticket)}>
          <Ticket size={12} aria-hidden="true" />
          <span className="sr-only">has a ticket</span>
        </span>
      )}
      {comments > 0 && (
        <span className="flex items-center gap-1 tabular-nums" title={counted(comments, 'comment')}>
          <MessageSquare size={12} aria-hidden="true" />
          {comments}
          <span className="sr-only">{comments === 1 ? ' comment' : ' comments'}</span>
        </span>
      )}
    </span>
  )
}

/** The confidence comes first: a long title is cut at its end. */
function Cause({ analysis: { likelyCause } }: { analysis: AnalysisItem }) {
  const isKnown = likelyCause.kind !== 'unknown'
  return (
    <CauseTitle
      cause={likelyCause}
      hasKind
      className="line-clamp-3 [overflow-wrap:anywhere] xl:line-clamp-2"
      lead={
        isKnown && (
          <span className="mr-2 lg:max-xl:block">
            <ConfidenceMark confidence={likelyCause.confidence} />
          </span>
        )
      }
    />
  )
}
