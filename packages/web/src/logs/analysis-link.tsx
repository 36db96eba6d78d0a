import { getRouteApi, Link } from '@tanstack/react-router'
import { ScanSearch } from 'lucide-react'

const route = getRouteApi('/signed-in/projects/$projectId/logs')

/** At the end of a row: for the mouse, as the panel of the row has a link for the keyboard. */
export function AnalysisLink({ analysisId }: { analysisId: string }) {
  const { projectId } = route.useParams()
  return (
    <Link
      to="/projects/$projectId/analyses/$analysisId"
      params={{ projectId, analysisId }}
      tabIndex={-1}
      preload={false}
      aria-label="Open its analysis"
      title="Open its analysis"
      className="flex size-5 shrink-0 items-center justify-center rounded-[4px] text-faint hover:bg-strong-border hover:text-text"
    >
      <ScanSearch size={13} aria-hidden="true" />
    </Link>
  )
}
