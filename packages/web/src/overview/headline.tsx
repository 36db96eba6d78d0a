import { Link } from '@tanstack/react-router'
import type { OverviewAnswer } from '@tidemark/wire/reading/overview'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import type { Asked } from './links.ts'
import { type Part, sentenceOf } from './sentence.ts'

const LOOKS = {
  calm: { icon: CircleCheck, tone: 'text-good' },
  wrong: { icon: CircleAlert, tone: 'text-bad' },
  empty: { icon: CircleDashed, tone: 'text-faint' },
} as const
const HANDLE =
  'rounded-[2px] underline decoration-strong-border decoration-1 underline-offset-4 hover:decoration-current'
/** What is counted stays with its number. */
const COUNT = classNames(HANDLE, 'whitespace-nowrap')

type HeadlineProps = { projectId: string; asked: Asked; overview: OverviewAnswer }

/** Read out when it changes: what a refresh brings is news. */
export function Headline({ projectId, asked, overview }: HeadlineProps) {
  const { mood, parts } = sentenceOf(overview)
  const { icon: Icon, tone } = LOOKS[mood]
  return (
    <div className="flex min-w-0 flex-1 basis-80 items-start gap-2.5">
      <Icon size={20} className={classNames('mt-[3px] shrink-0', tone)} aria-hidden="true" />
      <p aria-live="polite" className="text-title font-semibold text-pretty max-sm:text-large">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words of a sentence have no other identity
          <Handle key={index} projectId={projectId} asked={asked} part={part} />
        ))}
      </p>
    </div>
  )
}

function Handle({ projectId, asked, part: { text, lead, named } }: Omit<HeadlineProps, 'overview'> & { part: Part }) {
  if (named?.kind === 'analysis') {
    return (
      <Link
        to="/projects/$projectId/analyses/$analysisId"
        params={{ projectId, analysisId: named.id }}
        className={classNames(HANDLE, '[overflow-wrap:anywhere]')}
      >
        {text}
      </Link>
    )
  }
  if (named?.kind === 'deploy') {
    return (
      <Link to="/projects/$projectId/deploys/$deployId" params={{ projectId, deployId: named.id }} className={HANDLE}>
        {text}
      </Link>
    )
  }
  if (lead === undefined) return text
  if (lead === 'attention' || lead === 'deploys' || lead === 'silent') {
    return (
      <Link to="." hash={lead} search={(before) => before} className={COUNT}>
        {text}
      </Link>
    )
  }
  return (
    <Link
      to="/projects/$projectId/analyses"
      params={{ projectId }}
      search={{ ...asked, state: lead }}
      className={COUNT}
    >
      {text}
    </Link>
  )
}
