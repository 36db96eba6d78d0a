import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { Standout } from '@tidemark/wire/analyses/cause'
import { shareWords } from '@tidemark/wire/text/share-words'
import { plainLine } from '../../text/plain-text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Section } from '../section.tsx'
import { standoutSearch } from './records-search.ts'

type StandoutsProps = { projectId: string; analysis: AnalysisDetail }

/** Values that errors have far more often than the other records. Each opens the errors that have it. */
export function Standouts({ projectId, analysis }: StandoutsProps) {
  const { standouts } = analysis
  if (standouts.length === 0) return null
  return (
    <Section title="What stands out" aside="against other records of the same service and time">
      <ul
        aria-label="What stands out"
        className="divide-y divide-border overflow-hidden rounded-control border border-border bg-surface"
      >
        {standouts.map((standout) => (
          <li key={`${standout.field} ${standout.value}`}>
            <Link
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={standoutSearch(analysis, standout)}
              title="Open the errors that have it"
              className="group grid gap-x-8 gap-y-2 px-4 py-2.5 hover:bg-hover md:grid-cols-[minmax(0,1fr)_300px] md:items-center"
            >
              <Value standout={standout} />
              <Shares standout={standout} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Value({ standout: { field, value, text } }: { standout: Standout }) {
  const words = plainLine(value)
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="truncate font-mono text-small font-medium group-hover:underline" title={words}>
        <span className="font-normal text-muted">{plainLine(field)}=</span>
        {words === '' ? <span className="font-normal text-faint">empty</span> : words}
      </span>
      <span className="line-clamp-3 text-small text-muted [overflow-wrap:anywhere]">{plainLine(text)}</span>
    </span>
  )
}

function Shares({ standout: { errors, errorsWithField, others, othersWithField } }: { standout: Standout }) {
  return (
    <span className="flex flex-col gap-1 text-small">
      <Share name="Errors" count={errors} of={errorsWithField} tone="bg-bar-error" />
      <Share name="Others" count={others} of={othersWithField} tone="bg-muted" />
    </span>
  )
}

function Share({ name, count, of, tone }: { name: string; count: number; of: number; tone: string }) {
  const share = count / Math.max(1, of)
  return (
    <span className="grid grid-cols-[48px_minmax(0,1fr)_44px] items-center gap-2 text-muted">
      <span>{name}</span>
      <span className="block h-1.5 overflow-hidden rounded-full bg-border" aria-hidden="true">
        <span className={classNames('block h-full rounded-full', tone)} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="text-right tabular-nums">{shareWords(share)}</span>
    </span>
  )
}
