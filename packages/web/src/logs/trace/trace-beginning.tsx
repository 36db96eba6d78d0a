import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LogRow } from '@tidemark/wire/reading/row'
import { Clock } from 'lucide-react'
import { contextQuery } from '../../api/logs.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { formatExact, formatMoment } from '../../time/format-time.ts'
import { usePreferences } from '../../ui/preferences.ts'

/** The service tells what ran at the time of a record together with its neighbours, of which none are needed. */
const NEIGHBOURS = 0

type BeginningProps = { projectId: string; first: LogRow; startUs: number }

/** When the trace began, and what ran then: the last deploy before its first record. */
export function TraceBeginning({ projectId, first, startUs }: BeginningProps) {
  const { zone } = usePreferences()
  const start = new Date(startUs / 1_000).toISOString()
  const { data } = useQuery(contextQuery(projectId, first.id, 'time', NEIGHBOURS))
  const deploy = data?.deploy
  return (
    <section
      aria-label="Beginning of the trace"
      className="flex min-h-7 shrink-0 items-center gap-2 border-b border-border px-3 py-1 text-small text-muted"
    >
      <Clock size={13} className="shrink-0 text-faint" aria-hidden="true" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {first.service === '' ? 'It' : plainLine(first.service)} began this trace on{' '}
        <time dateTime={start} title={formatExact(start, zone)} className="text-text tabular-nums">
          {formatMoment(start, zone)}
        </time>
        {deploy && (
          <>
            {', '}
            <strong className="font-semibold text-text">{formatElapsed(deploy.elapsedSeconds)}</strong> after{' '}
            <Link
              to="/projects/$projectId/deploys/$deployId"
              params={{ projectId, deployId: deploy.id }}
              className="font-mono font-medium text-deploy hover:underline"
            >
              {shortSha(deploy.sha)}
            </Link>{' '}
            was deployed to {plainLine(deploy.environment)}
            {deploy.ref !== null && ` · ${plainLine(deploy.ref)}`}
            {deploy.author !== null && ` · by ${plainLine(deploy.author)}`}
          </>
        )}
        {data && !deploy && '. No deploy to its environment is known from before.'}
      </span>
    </section>
  )
}
