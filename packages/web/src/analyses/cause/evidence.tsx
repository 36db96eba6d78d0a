import { Minus, Plus } from 'lucide-react'
import { plainLine } from '../../text/plain-text.ts'
import { classNames } from '../../ui/class-names.ts'

type EvidenceProps = { evidenceFor: readonly string[]; evidenceAgainst: readonly string[] }

/** Both sides: the reader decides. */
export function Evidence({ evidenceFor, evidenceAgainst }: EvidenceProps) {
  if (evidenceFor.length + evidenceAgainst.length === 0) return null
  const hasBoth = evidenceFor.length > 0 && evidenceAgainst.length > 0
  return (
    <div className={classNames('grid gap-x-8 gap-y-2', hasBoth && 'md:grid-cols-2')}>
      <Side title="For" entries={evidenceFor} />
      <Side title="Against" entries={evidenceAgainst} />
    </div>
  )
}

function Side({ title, entries }: { title: 'For' | 'Against'; entries: readonly string[] }) {
  if (entries.length === 0) return null
  const Icon = title === 'For' ? Plus : Minus
  return (
    <div className="min-w-0">
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
