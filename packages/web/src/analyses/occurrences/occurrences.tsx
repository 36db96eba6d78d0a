import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { CourseView } from '@tidemark/wire/analyses/cause'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { Flag } from 'lucide-react'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatShort } from '../../time/format-time.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { Section } from '../section.tsx'
import { OccurrencesChart } from './occurrences-chart.tsx'
import { Rates } from './rates.tsx'

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
        <Course projectId={projectId} course={analysis.course} />
        {analysis.rates && <Rates rates={analysis.rates} deploy={analysis.correlatedDeploy} />}
      </div>
    </Section>
  )
}

function Course({ projectId, course: { text, endedWith } }: { projectId: string; course: CourseView }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-t border-border px-4 py-2.5">
      <span className="min-w-0 [overflow-wrap:anywhere]">{plainLine(text)}</span>
      {endedWith !== null && (
        <Link
          to="/projects/$projectId/deploys/$deployId"
          params={{ projectId, deployId: endedWith.deployId }}
          className="text-small whitespace-nowrap text-deploy hover:underline"
        >
          <Flag size={12} className="mr-1 inline align-[-1.5px]" aria-hidden="true" />
          Open the {endedWith.isRollback ? 'rollback to' : 'deploy of'} {shortSha(endedWith.sha)}
        </Link>
      )}
    </p>
  )
}
