import { getRouteApi, Link } from '@tanstack/react-router'
import { ScanSearch } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'

const route = getRouteApi('/signed-in/projects/$projectId/logs')

/**
 * At the end of a row: for the mouse, as the panel of the row has a link for the keyboard. `isLarge`: for a finger, at the
 * end of the first of two lines and reaching into the second.
 */
export function AnalysisLink({ analysisId, isLarge = false }: { analysisId: string; isLarge?: boolean }) {
  const { projectId } = route.useParams()
  return (
    <Link
      to="/projects/$projectId/analyses/$analysisId"
      params={{ projectId, analysisId }}
      tabIndex={-1}
      preload={false}
      aria-label="Open its analysis"
      title="Open its analysis"
      // Within a line whose click opens the record.
      onClick={(event) => event.stopPropagation()}
      className={classNames(
        'flex shrink-0 justify-center rounded-[4px] text-faint hover:text-text',
        isLarge ? 'relative -mr-2.5 ml-auto size-8 self-start pt-[5px]' : 'size-5 items-center hover:bg-strong-border',
      )}
    >
      <ScanSearch size={13} aria-hidden="true" />
    </Link>
  )
}
