import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ScanSearch } from 'lucide-react'
import { analysisLineQuery } from '../api/analyses.ts'
import { StateMark } from '../marks/analysis-state.tsx'
import { plainLine } from '../text/plain-text.ts'
import { Skeleton } from '../ui/skeleton.tsx'

type AnalysisProps = {
  projectId: string
  analysisId: string
  /** What the page says of the error anyway: a title that is the same is not said again. */
  said?: string
}

/** The group of similar errors that the record is part of. The link is there even when the title cannot be loaded. */
export function RecordAnalysis({ projectId, analysisId, said }: AnalysisProps) {
  const { data, isPending } = useQuery(analysisLineQuery(projectId, analysisId))
  return (
    <Link
      to="/projects/$projectId/analyses/$analysisId"
      params={{ projectId, analysisId }}
      title={data && plainLine(data.analysis.title)}
      className="flex min-h-9 min-w-52 flex-1 items-center gap-2 rounded-control border border-border px-3 py-1.5 hover:bg-hover"
    >
      <ScanSearch size={14} className="shrink-0 text-muted" aria-hidden="true" />
      <span className="shrink-0">Part of analysis</span>
      {isPending ? (
        <Skeleton className="h-3.5 flex-1" />
      ) : (
        <span className="min-w-0 flex-1 truncate font-mono text-small font-medium">
          {data?.analysis.title !== said && (data ? plainLine(data.analysis.title) : analysisId)}
        </span>
      )}
      {data && <StateMark state={data.analysis.state} />}
    </Link>
  )
}
