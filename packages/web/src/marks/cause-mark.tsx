import type { CauseKind, LikelyCause } from '@tidemark/wire/analyses/cause'
import { CAUSE_WORDS } from '@tidemark/wire/analyses/cause-words'
import {
  CircleQuestionMark,
  Database,
  Flag,
  Gauge,
  GitCommitHorizontal,
  Server,
  SlidersHorizontal,
  Unplug,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { plainSentence } from '../text/plain-text.ts'
import { classNames } from '../ui/class-names.ts'

/** Deploys and commits are violet. Every other cause has its own picture and word. */
export const CAUSE_LOOK = {
  deploy: { icon: Flag, tone: 'text-deploy', word: CAUSE_WORDS.deploy },
  commit: { icon: GitCommitHorizontal, tone: 'text-deploy', word: CAUSE_WORDS.commit },
  configuration: { icon: SlidersHorizontal, tone: 'text-text', word: CAUSE_WORDS.configuration },
  dependency: { icon: Unplug, tone: 'text-text', word: CAUSE_WORDS.dependency },
  environment: { icon: Server, tone: 'text-text', word: CAUSE_WORDS.environment },
  data: { icon: Database, tone: 'text-text', word: CAUSE_WORDS.data },
  load: { icon: Gauge, tone: 'text-text', word: CAUSE_WORDS.load },
  unknown: { icon: CircleQuestionMark, tone: 'text-muted', word: CAUSE_WORDS.unknown },
} as const satisfies Record<CauseKind, unknown>

/** Grey where the confidence is low, so that a guess does not look like a finding. */
export const causeTone = ({ kind, confidence }: Pick<LikelyCause, 'kind' | 'confidence'>): string =>
  confidence === 'low' ? 'text-muted' : CAUSE_LOOK[kind].tone

/** A line of text with its picture in it, so that it shares a baseline with whatever is beside it. */
export function CauseMark({ kind }: { kind: CauseKind }) {
  const { icon: Icon, tone, word } = CAUSE_LOOK[kind]
  return (
    <span className={classNames('text-small font-medium whitespace-nowrap', tone)}>
      <Icon size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
      {word}
    </span>
  )
}

type CauseTitleProps = {
  cause: Pick<LikelyCause, 'kind' | 'title' | 'confidence'>
  className: string
  lead?: ReactNode
  /** Names the kind as well, unless the title starts with it. */
  hasKind?: boolean
}

/** The title of the cause, or the word for its kind where it has none. */
export function CauseTitle({ cause, className, lead, hasKind = false }: CauseTitleProps) {
  const { icon: Icon, word } = CAUSE_LOOK[cause.kind]
  const words = plainSentence(cause.title) || word
  return (
    <span className={classNames(className, causeTone(cause))} title={words}>
      {lead}
      <Icon size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
      {hasKind && !words.startsWith(word) && `${word}: `}
      {words}
    </span>
  )
}
