import { Link } from '@tanstack/react-router'
import type { Deploy } from '@tidemark/wire/deploys/deploy'
import type { DeployDetailAnswer } from '@tidemark/wire/reading/deploys'
import { ExternalLink, Flag, GitCommitHorizontal, Logs, Rows3 } from 'lucide-react'
import { DeployStatus } from '../../marks/deploy-status.tsx'
import { ExactTime } from '../../marks/exact-time.tsx'
import { logsSince } from '../../marks/logs-since.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { patternsSince } from './pattern-search.ts'
import { commitAddress, webAddress } from './web-address.ts'

type HeaderProps = {
  projectId: string
  deploy: Deploy
  after: DeployDetailAnswer['after']
  isRollback: boolean
  /** Who wrote the commit: as it was sent, else as the repository says. */
  author: string | null
  /** Of the repository, where one is connected. */
  repositoryUrl: string | null
}

/** What was deployed, where and when, and the ways on from here. */
export function DeployHeader({ projectId, deploy, after, isRollback, author, repositoryUrl }: HeaderProps) {
  const { sha, environment, deployedAt, status, message } = deploy
  const isLive = status === 'succeeded'
  const nowMs = Date.now()
  const since = logsSince(deploy, nowMs)
  const commit = repositoryUrl === null ? null : commitAddress(repositoryUrl, sha)
  const run = webAddress(deploy.url) ?? webAddress(deploy.externalId)
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1
          className={classNames(
            'flex min-w-0 flex-1 items-center gap-2 font-mono text-title font-semibold [overflow-wrap:anywhere] max-sm:basis-full',
            isLive && 'text-deploy',
          )}
        >
          <Flag size={18} className="shrink-0" aria-hidden="true" />
          {shortSha(sha)}
          <CopyIcon text={sha} label="Copy the whole SHA" />
        </h1>
        <div className="flex flex-wrap gap-2">
          <Link to="/projects/$projectId/logs" params={{ projectId }} search={since.search} className={buttonClass()}>
            <Logs size={14} aria-hidden="true" />
            {since.words}
          </Link>
          {isLive && (
            <Link
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={patternsSince(deploy, after, nowMs)}
              className={buttonClass()}
            >
              <Rows3 size={14} aria-hidden="true" />
              Patterns since this deploy
            </Link>
          )}
          {commit !== null && (
            <a href={commit} target="_blank" rel="noreferrer noopener" className={buttonClass()}>
              <GitCommitHorizontal size={14} aria-hidden="true" />
              Commit
            </a>
          )}
          {run !== null && (
            <a href={run} target="_blank" rel="noreferrer noopener" className={buttonClass()}>
              <ExternalLink size={14} aria-hidden="true" />
              CI run
            </a>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-small text-muted">
        <DeployStatus status={status} />
        {isRollback && <Badge tone="deploy">Rollback</Badge>}
        <Badge>{plainLine(environment)}</Badge>
        <span>
          <ExactTime at={deployedAt} /> · <TimeAgo at={deployedAt} />
        </span>
        {author !== null && <span className="[overflow-wrap:anywhere]">by {plainLine(author)}</span>}
      </div>
      {message !== null && <Message text={plainText(message)} />}
    </header>
  )
}

/** As git reads it: the first line is the subject, the rest says why. */
function Message({ text }: { text: string }) {
  const [subject = '', ...rest] = text.trim().split('\n')
  const body = rest.join('\n').trim()
  return (
    <div className="mt-1 flex flex-col gap-1 [overflow-wrap:anywhere]">
      <p className="text-large font-semibold">{subject}</p>
      {body !== '' && <p className="whitespace-pre-wrap text-muted">{body}</p>}
    </div>
  )
}
