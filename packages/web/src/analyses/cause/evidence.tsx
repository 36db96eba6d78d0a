import { Minus, Plus } from 'lucide-react'
import { plainSentence } from '../../text/plain-text.ts'

/** Of each side; the rest is one click away. The server puts the strongest first. */
const SHOWN_FOR = 1
const SHOWN_AGAINST = 1

type EvidenceProps = {
  evidenceFor: readonly string[]
  evidenceAgainst: readonly string[]
  /** The cause was weighed, so having nothing against it is a result, and is shown as one. */
  isWeighed?: boolean
}

/** Both sides, the strongest of each: the reader decides. */
export function Evidence({ evidenceFor, evidenceAgainst, isWeighed = false }: EvidenceProps) {
  if (evidenceFor.length + evidenceAgainst.length === 0) return null
  return (
    <div className="grid gap-x-8 gap-y-2 md:grid-cols-2">
      <Side title="For" entries={evidenceFor} shown={SHOWN_FOR} />
      <Side title="Against" entries={evidenceAgainst} shown={SHOWN_AGAINST} />
      {isWeighed && evidenceAgainst.length === 0 && (
        <div className="min-w-0">
          <h3 className="text-small font-medium text-muted">Against</h3>
          <p className="mt-0.5 text-muted">Nothing was found.</p>
        </div>
      )}
    </div>
  )
}

function Side({ title, entries, shown }: { title: 'For' | 'Against'; entries: readonly string[]; shown: number }) {
  if (entries.length === 0) return null
  const rest = entries.slice(shown)
  return (
    <div className="min-w-0">
      <h3 className="text-small font-medium text-muted">{title}</h3>
      <Entries label={title} title={title} entries={entries.slice(0, shown)} />
      {rest.length > 0 && (
        <details className="mt-0.5">
          <summary className="disclosure text-small text-muted hover:text-text">and {rest.length} more</summary>
          <Entries label={`More ${title.toLowerCase()}`} title={title} entries={rest} />
        </details>
      )}
    </div>
  )
}

function Entries({ label, title, entries }: { label: string; title: 'For' | 'Against'; entries: readonly string[] }) {
  const Icon = title === 'For' ? Plus : Minus
  return (
    <ul aria-label={label} className="mt-0.5 flex flex-col gap-0.5">
      {entries.map((entry) => (
        <li key={entry} className="flex items-start gap-2">
          <Icon size={13} className="mt-[3px] shrink-0 text-faint" aria-hidden="true" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{plainSentence(entry)}</span>
        </li>
      ))}
    </ul>
  )
}
