/** What was released: revision, place, time and who, and the ways on from it. The same in both cards that name one. */

import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { anchorWords } from '@tidemark/wire/analyses/correlated-words'
import { ExternalLink, Flag, Logs } from 'lucide-react'
import { DeploySource } from '../../marks/deploy-source.tsx'
import { logsSince } from '../../marks/logs-since.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { formatFull } from '../../time/format-time.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { usePreferences } from '../../ui/preferences.ts'

export type Correlated = NonNullable<AnalysisDetail['correlatedDeploy']>
type FactsProps = {
  projectId: string
  analysis: AnalysisDetail
  deploy: Correlated
  /** A commit beside it says the same. */
  isMessageTold?: boolean
}

export function DeployFacts({ projectId, analysis, deploy, isMessageTold = false }: FactsProps) {
  const { zone } = usePreferences()
  const { source, sha, environment, deployedAt, committedAt, ref, author, message, isRollback } = deploy
  const at = deployedAt ?? committedAt
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-0.5">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <DeploySource source={source} />
          <span className="flex min-w-0 items-center gap-1">
            <span className="truncate font-mono font-semibold text-deploy" title={plainLine(sha)}>
              {shortSha(sha)}
            </span>
            <CopyIcon text={sha} label="Copy the whole SHA" />
          </span>
          <Badge>{plainLine(environment)}</Badge>
          {isRollback && <Badge tone="deploy">Rollback</Badge>}
          <span className="tabular-nums">
            <span className="text-large font-semibold text-deploy">{formatElapsed(deploy.elapsedSeconds)}</span> before{' '}
            {anchorWords(analysis)}
          </span>
        </div>
        <p className="flex min-w-0 flex-wrap gap-x-2 text-muted">
          {at !== null && (
            <span className="tabular-nums">
              {deployedAt === null ? 'Committed' : 'Deployed'}{' '}
              <time dateTime={at} className="whitespace-nowrap">
                {formatFull(at, zone)}
              </time>{' '}
              · <TimeAgo at={at} />
            </span>
          )}
          {ref !== null && <span className="truncate font-mono text-small leading-[19px]">{plainLine(ref)}</span>}
          {author !== null && <span className="truncate">by {plainLine(author)}</span>}
        </p>
        {!isMessageTold && message !== null && message !== '' && (
          <p className="line-clamp-1 [overflow-wrap:anywhere]" title={plainLine(message)}>
            {plainLine(message.split('\n')[0] ?? '')}
          </p>
        )}
      </div>
      <Ways projectId={projectId} deploy={deploy} />
    </div>
  )
}

function Ways({ projectId, deploy }: { projectId: string; deploy: Correlated }) {
  const { deployId, deployedAt, environment, url } = deploy
  const since = deployedAt === null ? undefined : logsSince({ environment, deployedAt }, Date.now())
  return (
    <div className="flex flex-wrap gap-2">
      {deployId !== null && (
        <Link
          to="/projects/$projectId/deploys/$deployId"
          params={{ projectId, deployId }}
          className={classNames(buttonClass(), '!text-deploy')}
        >
          <Flag size={14} aria-hidden="true" />
          Open the deploy
        </Link>
      )}
      {since && (
        <Link to="/projects/$projectId/logs" params={{ projectId }} search={since.search} className={buttonClass()}>
          <Logs size={14} aria-hidden="true" />
          {since.words}
        </Link>
      )}
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer noopener" className={buttonClass()}>
          <ExternalLink size={14} aria-hidden="true" />
          CI run
        </a>
      )}
    </div>
  )
}
