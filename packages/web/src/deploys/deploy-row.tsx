import { Link } from '@tanstack/react-router'
import type { Deploy } from '@tidemark/wire/deploy'
import { CircleAlert } from 'lucide-react'
import { DeployStatus } from '../marks/deploy-status.tsx'
import { plainLine } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { formatMoment } from '../time/format-time.ts'
import { TimeAgo } from '../time/time-ago.tsx'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { usePreferences } from '../ui/preferences.ts'

/** Fixed columns where there is room for them, three lines where there is not. */
const COLUMNS =
  'xl:grid xl:grid-cols-[84px_56px_92px_minmax(0,1fr)_120px_88px_124px_minmax(176px,max-content)] xl:items-baseline xl:gap-x-4'

type RowProps = { projectId: string; deploy: Deploy; introduced: string | undefined }

export function DeployRow({ projectId, deploy, introduced }: RowProps) {
  const { zone } = usePreferences()
  const { id, sha, environment, deployedAt, status, ref, message, author } = deploy
  const hasSucceeded = status === 'succeeded'
  return (
    <li className="border-b border-border last:border-0">
      <Link
        to="/projects/$projectId/deploys/$deployId"
        params={{ projectId, deployId: id }}
        className={classNames('flex flex-col gap-1 px-3 py-2 hover:bg-hover', COLUMNS, !hasSucceeded && 'text-faint')}
      >
        <span className="flex items-baseline gap-3 xl:contents">
          <span className="flex w-[84px] shrink-0 items-baseline">
            <DeployStatus status={status} />
          </span>
          <span className={classNames('font-mono text-small font-medium', hasSucceeded && 'text-deploy')}>
            {shortSha(sha)}
          </span>
          <span className="min-w-0">
            <Badge>{plainLine(environment)}</Badge>
          </span>
          <span className="ml-auto text-small font-medium whitespace-nowrap text-bad xl:col-start-5 xl:row-start-1 xl:ml-0">
            {introduced !== undefined && (
              <>
                <CircleAlert size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
                {introduced}
              </>
            )}
          </span>
        </span>
        <span className="truncate">
          {message === null ? <span className="text-faint">No message</span> : plainLine(message.split('\n')[0] ?? '')}
        </span>
        <span className="flex items-baseline gap-3 text-small text-muted xl:contents">
          <span className="min-w-0 truncate font-mono text-small text-muted max-xl:empty:hidden">
            {ref !== null && plainLine(ref)}
          </span>
          <span className="min-w-0 truncate text-small text-muted max-xl:empty:hidden">
            {author !== null && `by ${plainLine(author)}`}
          </span>
          <span className="ml-auto shrink-0 text-right text-small whitespace-nowrap text-muted tabular-nums">
            <time dateTime={deployedAt}>{formatMoment(deployedAt, zone).slice(0, -4)}</time> ·{' '}
            <TimeAgo at={deployedAt} />
          </span>
        </span>
      </Link>
    </li>
  )
}
