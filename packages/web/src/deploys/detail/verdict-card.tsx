/** The answer, before anything else: whether the deploy did harm, and why that is said. */
import type { DeployDetailAnswer } from '@tidemark/wire/reading/deploys'
import { ExactTime } from '../../marks/exact-time.tsx'
import { VERDICT_LOOK, VerdictMark } from '../../marks/verdict-mark.tsx'
import { plainSentence } from '../../text/plain-text.ts'
import { classNames } from '../../ui/class-names.ts'
import { expectedWords, verdictSentence } from '../verdict-words.ts'

export function VerdictCard({ answer }: { answer: DeployDetailAnswer }) {
  const { verdict, reasons, checkAgainAt } = answer
  const nowMs = Date.now()
  return (
    <section
      aria-label="Verdict"
      className={classNames(
        'flex flex-col gap-2 rounded-control border border-l-4 border-border bg-surface p-4',
        verdict === null ? 'border-l-strong-border' : VERDICT_LOOK[verdict].edge,
      )}
    >
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-small font-medium text-muted">{verdict === null ? 'No verdict' : 'Verdict'}</h2>
        {verdict !== null && <VerdictMark verdict={verdict} isAwaited={checkAgainAt !== null} />}
      </div>
      <p className="text-large font-semibold text-pretty">{verdictSentence(answer, nowMs)}</p>
      {checkAgainAt !== null && (
        <p className="text-muted">
          {expectedWords(checkAgainAt, nowMs)}, <ExactTime at={checkAgainAt} />. This page refreshes by itself.
        </p>
      )}
      {verdict !== null && reasons.length > 0 && (
        <ul aria-label="Reasons" className="flex list-disc flex-col gap-1 pl-4 marker:text-faint">
          {[...new Set(reasons)].map((reason) => (
            <li key={reason} className="max-w-[110ch] [overflow-wrap:anywhere]">
              {plainSentence(reason)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
