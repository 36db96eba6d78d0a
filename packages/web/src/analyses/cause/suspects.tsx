import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { SuspectView } from '@tidemark/wire/analyses/cause'
import { Flag } from 'lucide-react'
import { CommitLine, CommitPlace } from '../../marks/commit-line.tsx'
import { plainLine, plainSentence } from '../../text/plain-text.ts'
import { EmptyPart } from '../../ui/empty.tsx'
import { Section } from '../section.tsx'

type SuspectsProps = { projectId: string; analysis: AnalysisDetail }

/** Commits that touch what fails, or why none is named. */
export function Suspects({ projectId, analysis: { suspects, suspectsReason } }: SuspectsProps) {
  if (suspects.length === 0 && suspectsReason === null) return null
  return (
    <Section id="suspects" title="Suspect commits" aside={suspects.length > 1 && 'the likeliest first'}>
      {suspects.length === 0 ? (
        <EmptyPart>{plainSentence(suspectsReason ?? '')}</EmptyPart>
      ) : (
        <ol
          aria-label="Suspect commits"
          className="divide-y divide-border rounded-control border border-border bg-surface"
        >
          {suspects.map((suspect) => (
            <li key={`${suspect.sha} ${suspect.file}`} className="px-4 py-2.5">
              <Suspect projectId={projectId} suspect={suspect} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

function Suspect({ projectId, suspect }: { projectId: string; suspect: SuspectView }) {
  const { file, line, reason, deployId } = suspect
  return (
    <CommitLine commit={suspect} canCopy>
      <p className="line-clamp-3 text-muted [overflow-wrap:anywhere]" title={plainLine(reason)}>
        {sentence(plainSentence(reason))}
      </p>
      <p className="mt-0.5 flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-0.5">
        <CommitPlace file={file} line={line} />
        {deployId !== null && (
          <Link
            to="/projects/$projectId/deploys/$deployId"
            params={{ projectId, deployId }}
            className="text-small whitespace-nowrap text-deploy hover:underline"
          >
            <Flag size={12} className="mr-1 inline align-[-1.5px]" aria-hidden="true" />
            The deploy that brought it
          </Link>
        )}
      </p>
    </CommitLine>
  )
}

/** On one line the reason follows the commit's name; here it stands alone. */
const sentence = (reason: string) => reason.replace(/^\p{Ll}/u, (first) => first.toUpperCase()).replace(/[^.…]$/, '$&.')
