import type { AnalysisDetail } from '@tidemark/wire/analysis'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { formatShort } from '../../time/format-time.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { OccurrencesChart } from './occurrences-chart.tsx'
import { Rates } from './rates.tsx'
import { Section } from './section.tsx'

/** How often it happened, and whether that changed with the deploy. */
export function Occurrences({ projectId, analysis }: { projectId: string; analysis: AnalysisDetail }) {
  const { zone } = usePreferences()
  const { window, bucketSeconds } = analysis.occurrences
  return (
    <Section
      id="occurrences"
      title="Occurrences"
      aside={
        <span className="tabular-nums">
          {formatShort(window.from, zone)} – {formatShort(window.to, zone)}, each bar {formatElapsed(bucketSeconds)}
        </span>
      }
    >
      <div className="overflow-hidden rounded-control border border-border bg-surface">
        <OccurrencesChart projectId={projectId} analysis={analysis} />
        {analysis.rates && <Rates rates={analysis.rates} deploy={analysis.correlatedDeploy} />}
      </div>
    </Section>
  )
}
