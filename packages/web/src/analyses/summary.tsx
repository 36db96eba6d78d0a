import { Link } from '@tanstack/react-router'
import type { AnalysisDetail, SummarySentence } from '@tidemark/wire/analysis'
import type { ReactNode } from 'react'
import { plainLine } from '../text/plain-text.ts'
import { classNames } from '../ui/class-names.ts'
import type { PartId } from './section.tsx'

/** Where on the page the evidence stands that is not a search. */
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

/** Each sentence opens what it rests on: the records, the deploy, or the part of the page that shows it. */
export function Summary({ projectId, analysis }: { projectId: string; analysis: AnalysisDetail }) {
  const { sentences, summary } = analysis
  if (sentences.length === 0) return summary === '' ? null : <p className="text-large">{plainLine(summary)}</p>
  return (
    <ul aria-label="Summary" className="-mt-1 flex flex-col gap-1">
      {sentences.map((sentence, index) => (
        <li
          key={`${sentence.evidence} ${sentence.text}`}
          className={classNames('max-w-[92ch] [overflow-wrap:anywhere]', index === 0 ? 'text-large' : 'text-muted')}
        >
          <Sentence projectId={projectId} analysis={analysis} sentence={sentence} />
        </li>
      ))}
    </ul>
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
  // Failed deploys stand in no stream of records, whatever is searched for.
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
