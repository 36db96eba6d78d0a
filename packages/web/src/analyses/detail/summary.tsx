import { Link } from '@tanstack/react-router'
import type { AnalysisDetail, SummarySentence } from '@tidemark/wire/analysis'
import { TriangleAlert } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { isUnread } from './is-incomplete.ts'
import type { PartId } from './section.tsx'

/** Where on the page the evidence is that is not a search. */
const PARTS: Record<SummarySentence['evidence'], PartId> = {
  occurrences: 'occurrences',
  deploy: 'deploy',
  rates: 'occurrences',
  failedDeploys: 'failed-deploys',
  affected: 'affected',
  before: 'before',
  stack: 'stack',
  repository: 'deploy',
}

const SENTENCE = 'rounded-[2px] decoration-faint decoration-dotted underline-offset-[3px] hover:underline'

type SummaryProps = { projectId: string; analysis: AnalysisDetail; isBusy: boolean; onAgain: () => void }

/** Each sentence opens what it rests on: the records, the deploy, or the part of the page that shows it. */
export function Summary({ projectId, analysis, isBusy, onAgain }: SummaryProps) {
  const { sentences, summary } = analysis
  const unread = sentences.find(isUnread)
  const told = sentences.filter((sentence) => sentence !== unread)
  if (sentences.length === 0) return summary === '' ? null : <p className="text-large">{plainLine(summary)}</p>
  return (
    <ul aria-label="Summary" className="-mt-1 flex flex-col gap-1">
      {told.map((sentence, index) => (
        <Fragment key={`${sentence.evidence} ${sentence.text}`}>
          <li
            className={classNames('max-w-[92ch] [overflow-wrap:anywhere]', index === 0 ? 'text-large' : 'text-muted')}
          >
            <Sentence projectId={projectId} analysis={analysis} sentence={sentence} />
          </li>
          {index === 0 && unread && <Unread text={unread.text} isBusy={isBusy} onAgain={onAgain} />}
        </Fragment>
      ))}
    </ul>
  )
}

/** Above what it makes doubtful: the sentences and the parts below it may lack what the records would say. */
function Unread({ text, isBusy, onAgain }: { text: string; isBusy: boolean; onAgain: () => void }) {
  return (
    <li className="my-1 flex items-start gap-2 rounded-control border border-warn/40 bg-surface py-2 pr-2 pl-3">
      <TriangleAlert size={16} className="mt-1.5 shrink-0 text-warn" aria-hidden="true" />
      <span className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
        {/* The button says the rest. */}
        {plainLine(text).replace(/: ask again\.$/, '.')}
      </span>
      <Button onClick={onAgain} isBusy={isBusy}>
        Ask again
      </Button>
    </li>
  )
}

type SentenceProps = { projectId: string; analysis: AnalysisDetail; sentence: SummarySentence }

function Sentence({ projectId, analysis, sentence }: SentenceProps): ReactNode {
  const { text, evidence, query, from, to } = sentence
  const deployId = analysis.correlatedDeploy?.deployId
  const words = plainLine(text)
  if (evidence === 'deploy' && deployId) {
    return (
      <Link
        to="/projects/$projectId/deploys/$deployId"
        params={{ projectId, deployId }}
        title="Open the deploy"
        className={SENTENCE}
      >
        {words}
      </Link>
    )
  }
  // Failed deploys appear in no stream of records, whatever is searched for.
  if (query !== null && evidence !== 'failedDeploys') {
    return (
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId }}
        search={{ query, environment: analysis.environment, from: from ?? analysis.firstSeen, to: to ?? undefined }}
        title="Open the records behind this"
        className={SENTENCE}
      >
        {words}
      </Link>
    )
  }
  return (
    <button
      type="button"
      title="Show what this rests on"
      onClick={() => document.getElementById(PARTS[evidence])?.scrollIntoView({ block: 'start' })}
      className={classNames('text-left', SENTENCE)}
    >
      {words}
    </button>
  )
}
