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

/** Violet is what was released; every other cause is recognised by its picture and its word. */
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
  cause: Pick<LikelyCause, 'kind' | 'title'>
  className: string
  lead?: ReactNode
  tail?: ReactNode
}

/** What the cause is, in its own words where there are some. */
export function CauseTitle({ cause: { kind, title }, className, lead, tail }: CauseTitleProps) {
  const { icon: Icon, tone, word } = CAUSE_LOOK[kind]
  const words = plainSentence(title) || word
  return (
    <span className={classNames(className, tone)} title={words}>
      {lead}
      <Icon size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
      {words}
      {tail}
    </span>
  )
}
