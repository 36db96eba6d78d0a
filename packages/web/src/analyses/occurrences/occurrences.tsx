import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { CourseView } from '@tidemark/wire/analyses/cause'
import { analysisSearch } from '@tidemark/wire/dashboard/search'
import { Flag } from 'lucide-react'
import { occurrencesQuery } from '../../api/analyses.ts'
import { plainSentence } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { rangeLabel } from '../../time/range.ts'
import { dimmed } from '../../ui/class-names.ts'
import { SelectField } from '../../ui/field.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../section.tsx'
import { CHART_RANGES, chartWindow } from './chart-range.ts'
import { OccurrencesChart } from './occurrences-chart.tsx'
import { Rates } from './rates.tsx'

const route = getRouteApi('/signed-in/projects/$projectId/analyses/$analysisId')

/** How often it happened, and whether that changed with the deploy. */
export function Occurrences({ projectId, analysis }: { projectId: string; analysis: AnalysisDetail }) {
  const { zone } = usePreferences()
  const { chart } = route.useSearch()
  const navigate = route.useNavigate()
  // Asked for once it is chosen, and again with the page: what a relative range stands for moves with the clock.
  const asked = {
    range: chart ?? '',
    ...(chart ? chartWindow(chart, analysis, Date.now()) : analysis.occurrences.window),
  }
  const chosen = useQuery({ ...occurrencesQuery(projectId, analysis, asked), enabled: chart !== undefined })
  const occurrences = (chart && chosen.data) ?? analysis.occurrences
  const { window, bucketSeconds } = occurrences
  // Where nothing can be found of it, no other window holds more.
  const canChoose = analysis.occurrences.buckets.length > 0
  return (
    <Section
      id="occurrences"
      title="Occurrences"
      aside={
        <span className="tabular-nums">
          {rangeLabel(window, zone)}, each bar {formatElapsed(bucketSeconds)}
        </span>
      }
      action={
        canChoose && (
          <SelectField
            label="Time range of the chart"
            isLabelHidden
            value={chart ?? ''}
            options={CHART_RANGES}
            onChange={({ target: { value } }) =>
              navigate({
                search: (before) => ({ ...before, chart: analysisSearch({ chart: value }).chart }),
                replace: true,
              })
            }
          />
        )
      }
    >
      <div className="overflow-hidden rounded-control border border-border bg-surface">
        {chosen.error && chart && (
          <div className="border-b border-border p-3">
            <Problem error={chosen.error} onRetry={chosen.refetch} />
          </div>
        )}
        <div className={dimmed(chart !== undefined && chosen.isPlaceholderData)} aria-busy={chosen.isFetching}>
          <OccurrencesChart projectId={projectId} analysis={analysis} occurrences={occurrences} />
        </div>
        <Course projectId={projectId} course={analysis.course} />
        {analysis.rates && <Rates rates={analysis.rates} deploy={analysis.correlatedDeploy} />}
      </div>
    </Section>
  )
}

function Course({ projectId, course: { text, endedWith } }: { projectId: string; course: CourseView }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-t border-border px-4 py-2.5">
      <span className="min-w-0 [overflow-wrap:anywhere]">{plainSentence(text)}</span>
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
