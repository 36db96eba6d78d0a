import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { capitalised } from '../../text/capitalised.ts'
import { plainLine } from '../../text/plain-text.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { Section } from '../section.tsx'

export function Grouping({ analysis: { grouping, fingerprint, id } }: { analysis: AnalysisDetail }) {
  return (
    <Section title="How it was grouped">
      <div className="flex flex-col gap-2 rounded-control border border-border bg-surface p-4">
        <p className="[overflow-wrap:anywhere]">{capitalised(plainLine(grouping))}</p>
        <dl className="flex flex-wrap gap-x-6 gap-y-1 text-small text-muted">
          <Id name="Fingerprint" value={fingerprint} />
          <Id name="Analysis" value={id} />
        </dl>
      </div>
    </Section>
  )
}

function Id({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt>{name}</dt>
      <dd className="flex min-w-0 items-center gap-1 font-mono text-text">
        <span className="truncate">{plainLine(value)}</span>
        <CopyIcon text={value} label={`Copy ${name.toLowerCase()}`} />
      </dd>
    </div>
  )
}
