import { Link } from '@tanstack/react-router'
import type { AnalysisDetail, SummarySentence } from '@tidemark/wire/analyses/analysis'
import { isUnread } from '@tidemark/wire/analyses/is-incomplete'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { plainSentence } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { hasCauseCard } from '../cause/cause-card.tsx'
import type { PartId } from '../section.tsx'

/** Where on the page the evidence is that is not a search. */
const PARTS: Record<SummarySentence['evidence'], PartId> = {
  cause: 'cause',
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

type SummaryProps = { projectId: string; analysis: AnalysisDetail }

/** Each sentence opens what it rests on: the records, the deploy, or the part of the page that shows it. */
export function Summary({ projectId, analysis }: SummaryProps) {
  const { sentences, summary } = analysis
  if (sentences.length === 0) return summary === '' ? null : <p>{plainSentence(summary)}</p>
  return (
    <ul aria-label="Summary" className="flex flex-wrap gap-x-2 gap-y-0.5">
      {sentences
        .filter((sentence) => !isUnread(sentence) && !isToldBelow(sentence, analysis))
        .map((sentence, index) => (
          <li
            key={`${sentence.evidence} ${sentence.text}`}
            className={classNames(
              '[overflow-wrap:anywhere]',
              index === 0 ? 'basis-full text-large font-medium' : 'text-muted',
            )}
          >
            <Sentence projectId={projectId} analysis={analysis} sentence={sentence} />
          </li>
        ))}
    </ul>
  )
}

/** Why there is no deploy stands in its own part. */
function isToldBelow({ evidence }: SummarySentence, { correlatedDeploy }: AnalysisDetail): boolean {
  return evidence === 'deploy' && correlatedDeploy === null
}

type UnreadProps = { analysis: AnalysisDetail; isBusy: boolean; onAgain: () => void }

/** Above what it makes doubtful: the cause, the sentences and the parts below may lack what the records would say. */
export function Unread({ analysis, isBusy, onAgain }: UnreadProps) {
  const unread = analysis.sentences.find(isUnread)
  if (unread === undefined) return null
  return (
    <div className="flex items-start gap-2 rounded-control border border-warn/40 bg-surface py-2 pr-2 pl-3">
      <TriangleAlert size={16} className="mt-1.5 shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{plainSentence(unread.text)}</p>
      <Button onClick={onAgain} isBusy={isBusy}>
        Retry
      </Button>
    </div>
  )
}

type SentenceProps = { projectId: string; analysis: AnalysisDetail; sentence: SummarySentence }

function Sentence({ projectId, analysis, sentence }: SentenceProps): ReactNode {
  const { text, evidence, query, from, to } = sentence
  const deployId = analysis.correlatedDeploy?.deployId
  const words = plainSentence(text)
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
  // Failed deploys appear in no stream of records, whatever is searched for, and a cause is weighed by more than records.
  if (query !== null && evidence !== 'failedDeploys' && evidence !== 'cause') {
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
  if (evidence === 'cause' && !hasCauseCard(analysis)) return words
  return (
    <button
      type="button"
      title="Show what this rests on"
      onClick={() => document.getElementById(PARTS[evidence])?.scrollIntoView({ block: 'start' })}
      className={classNames('touchable text-left', SENTENCE)}
    >
      {words}
    </button>
  )
}
