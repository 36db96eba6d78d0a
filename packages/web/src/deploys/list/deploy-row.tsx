import { Link } from '@tanstack/react-router'
import type { ListedDeploy } from '@tidemark/wire/reading/deploys'
import { CircleAlert } from 'lucide-react'
import { DeployStatus } from '../../marks/deploy-status.tsx'
import { introducedWords } from '../../marks/introduced-words.ts'
import { VerdictMark } from '../../marks/verdict-mark.tsx'
import { plainLine, plainSentence } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatMomentSeconds } from '../../time/format-time.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { errorsWords, expectedWords } from '../verdict-words.ts'

/** Two lines of fixed columns where there is room for them, more lines where there is not. */
const COLUMNS =
  'xl:grid xl:grid-cols-[92px_56px_92px_minmax(0,1fr)_112px_124px_minmax(176px,max-content)] xl:items-baseline xl:gap-x-4 xl:gap-y-0.5'

/** What was deployed, and under it what became of it. */
export function DeployRow({ projectId, deploy }: { projectId: string; deploy: ListedDeploy }) {
  const { zone } = usePreferences()
  const { id, sha, environment, deployedAt, status, ref, message, author, verdict, checkAgainAt } = deploy
  const isLive = status === 'succeeded'
  return (
    <li className="border-b border-border last:border-0">
      <Link
        to="/projects/$projectId/deploys/$deployId"
        params={{ projectId, deployId: id }}
        className={classNames(
          'relative flex flex-col gap-1 px-3 py-2 hover:bg-hover',
          COLUMNS,
          !isLive && 'text-faint',
        )}
      >
        <span className="flex items-baseline gap-3 xl:contents">
          <span className="flex w-[92px] shrink-0 items-baseline">
            {verdict === null ? (
              <DeployStatus status={status} />
            ) : (
              <VerdictMark verdict={verdict} isAwaited={checkAgainAt !== null} />
            )}
          </span>
          <span className={classNames('font-mono text-small font-medium', isLive && 'text-deploy')}>
            {shortSha(sha)}
          </span>
          <span className="min-w-0">
            <Badge>{plainLine(environment)}</Badge>
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
            <time dateTime={deployedAt}>{formatMomentSeconds(deployedAt, zone)}</time> · <TimeAgo at={deployedAt} />
          </span>
        </span>
        <Outcome deploy={deploy} />
      </Link>
    </li>
  )
}

function Outcome({ deploy }: { deploy: ListedDeploy }) {
  const { verdict, reasons, checkAgainAt, introduced } = deploy
  const isLoud = verdict === 'bad' || verdict === 'suspect'
  const said = [expectedWords(checkAgainAt, Date.now()), plainSentence(reasons[0] ?? '')].filter(Boolean).join(' · ')
  const errors = errorsWords(deploy)
  const brought = introducedWords(introduced)
  return (
    <span className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 text-small text-muted sm:flex-nowrap xl:contents">
      <span
        className={classNames(
          '[overflow-wrap:anywhere] xl:col-span-3 xl:col-start-2 xl:text-small',
          // The file and the line are at the end of the evidence.
          isLoud ? 'line-clamp-6 text-text' : 'line-clamp-2 sm:line-clamp-1',
        )}
        title={reasons.map(plainLine).join('\n')}
      >
        {said}
      </span>
      {/* In the first line where the evidence needs the width of its own line, and no columns fit yet. */}
      <span className="flex items-baseline gap-3 max-sm:contents sm:max-lg:shrink-0 lg:max-xl:absolute lg:max-xl:top-2.5 lg:max-xl:right-3 xl:contents">
        <span
          className="tabular-nums max-xl:empty:hidden sm:max-xl:shrink-0 xl:col-span-2 xl:text-small"
          title={errors?.whole}
        >
          {errors !== null && (
            <>
              {errors.comparison}
              {errors.note !== null && <span className="text-faint"> {errors.note}</span>}
            </>
          )}
        </span>
        <span
          title={brought === null ? undefined : 'First seen while it ran, or because of it'}
          className={classNames(
            'font-medium whitespace-nowrap max-xl:ml-auto max-xl:empty:hidden xl:text-right xl:text-small',
            isLoud && 'text-bad',
          )}
        >
          {brought !== null && (
            <>
              <CircleAlert size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
              {brought}
            </>
          )}
        </span>
      </span>
    </span>
  )
}
