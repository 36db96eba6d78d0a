/** A record of an analysis in a panel next to it. Searching for one of its values opens the logs. */
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { RecordPanel } from '../../record/record-panel.tsx'
import { type RecordAddress, ValueMenuProvider } from '../../record/value-menu.tsx'
import { recordsSearch } from './records-search.ts'

const route = getRouteApi('/signed-in/projects/$projectId/analyses/$analysisId')
/** Between these widths the analysis is too narrow for a panel next to it, so the panel lies over its right half. */
const OVER = 'lg:max-xl:absolute lg:max-xl:inset-y-0 lg:max-xl:right-0 lg:max-xl:z-20 lg:max-xl:shadow-float'

type SamplePanelProps = { projectId: string; analysis: AnalysisDetail; recordId: string; onClose: () => void }

export function SamplePanel({ projectId, analysis, recordId, onClose }: SamplePanelProps) {
  const navigate = useNavigate()
  const navigateHere = route.useNavigate()
  const openLogs = (search: Parameters<RecordAddress['change']>[0]) =>
    navigate({ to: '/projects/$projectId/logs', params: { projectId }, search })
  const address: RecordAddress = {
    projectId,
    search: {},
    columns: undefined,
    change: (change, { replace = false } = {}) => {
      const { record, ...search } = change
      if (Object.keys(search).length > 0) openLogs(change)
      else navigateHere({ search: (before) => ({ ...before, record }), replace, resetScroll: false })
    },
    edit: (term) => openLogs(recordsSearch(analysis, term)),
  }
  const shown = [...analysis.samples, ...(analysis.before?.rows ?? [])]
  return (
    <ValueMenuProvider address={address}>
      <RecordPanel
        address={address}
        recordId={recordId}
        known={shown.find(({ id }) => id === recordId)}
        ofAnalysis={analysis.id}
        className={OVER}
        onClose={onClose}
      />
    </ValueMenuProvider>
  )
}
