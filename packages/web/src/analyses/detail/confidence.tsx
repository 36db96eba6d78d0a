import { Link } from '@tanstack/react-router'
import type { AnalysisDetail, CorrelatedDeploy } from '@tidemark/wire/analysis'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { Minus, Plus } from 'lucide-react'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'

const WORDS: Record<CorrelatedDeploy['confidence'], string> = {
  high: 'High confidence that this change matters',
  medium: 'Some confidence that this change matters',
  low: 'Little confidence that this change matters',
}

type ConfidenceProps = { projectId: string; analysis: AnalysisDetail; deploy: CorrelatedDeploy }

/** The deploy is what ran; whether it is the cause is for the reader, who gets both sides. */
export function Confidence({ projectId, analysis, deploy }: ConfidenceProps) {
  const { confidence, evidenceFor, evidenceAgainst } = deploy
  const { previousDeploy } = analysis
  return (
    <div className="flex flex-col gap-2 border-t border-border px-4 py-3">
      <p className="font-medium">{WORDS[confidence]}</p>
      <div className="grid gap-x-8 gap-y-2 md:grid-cols-2">
        <Side title="For" entries={evidenceFor} />
        <Side title="Against" entries={evidenceAgainst} />
      </div>
      {previousDeploy !== null && deploy.deployedAt !== null && (
        <p className="text-small text-muted">
          It replaced{' '}
          <Link
            to="/projects/$projectId/deploys/$deployId"
            params={{ projectId, deployId: previousDeploy.id }}
            className="font-mono text-deploy hover:underline"
          >
            {shortSha(previousDeploy.sha)}
          </Link>
          , deployed {formatElapsed((Date.parse(deploy.deployedAt) - Date.parse(previousDeploy.deployedAt)) / 1_000)}{' '}
          earlier.
        </p>
      )}
    </div>
  )
}

function Side({ title, entries }: { title: 'For' | 'Against'; entries: readonly string[] }) {
  if (entries.length === 0) return null
  const Icon = title === 'For' ? Plus : Minus
  return (
    <div>
      <h3 className="text-small font-medium text-muted">{title}</h3>
      <ul aria-label={title} className="mt-0.5 flex flex-col gap-0.5">
        {entries.map((entry) => (
          <li key={entry} className="flex items-start gap-2">
            <Icon size={13} className="mt-[3px] shrink-0 text-faint" aria-hidden="true" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{plainLine(entry)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
