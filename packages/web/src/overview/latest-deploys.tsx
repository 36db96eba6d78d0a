import { Link } from '@tanstack/react-router'
import type { OverviewAnswer } from '@tidemark/wire/reading/overview'
import { StartLink } from '../connect/setup-links.tsx'
import { DeployStatus } from '../marks/deploy-status.tsx'
import { VerdictMark } from '../marks/verdict-mark.tsx'
import { plainLine, plainSentence } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { TimeAgo } from '../time/time-ago.tsx'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Calm, Panel } from './panel.tsx'

type Deploys = OverviewAnswer['deploys']

/** The newest, also from before the window: what runs now may have been deployed earlier. */
export function LatestDeploys({ projectId, deploys }: { projectId: string; deploys: Deploys }) {
  return (
    <Panel
      id="deploys"
      title="Latest deploys"
      action={
        <Link
          to="/projects/$projectId/deploys"
          params={{ projectId }}
          // Its own range: deploys are rarer than records.
          search={(before) => ({ ...before, from: undefined, to: undefined })}
          className="rounded-[2px] text-accent hover:underline"
        >
          View all<span className="sr-only"> deploys</span>
        </Link>
      }
    >
      {deploys.length === 0 ? (
        <Calm>
          No deploys here. <StartLink className="text-accent hover:underline">Record deploys from your CI</StartLink>
        </Calm>
      ) : (
        <ul aria-label="Latest deploys">
          {deploys.map((deploy) => (
            <DeployLine key={deploy.id} projectId={projectId} deploy={deploy} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function DeployLine({ projectId, deploy }: { projectId: string; deploy: Deploys[number] }) {
  const { id, sha, environment, deployedAt, status, verdict, reasons, checkAgainAt } = deploy
  const reason = plainSentence(reasons[0] ?? '')
  return (
    <li className="border-b border-border last:border-0">
      <Link
        to="/projects/$projectId/deploys/$deployId"
        params={{ projectId, deployId: id }}
        className="flex flex-col gap-1 px-3 py-2 hover:bg-hover"
      >
        <span className="flex items-baseline gap-3">
          <span className="w-[84px] shrink-0">
            {verdict === null ? (
              <DeployStatus status={status} />
            ) : (
              <VerdictMark verdict={verdict} isAwaited={checkAgainAt !== null} />
            )}
          </span>
          <span
            className={classNames('font-mono text-small font-medium', verdict === null ? 'text-faint' : 'text-deploy')}
          >
            {shortSha(sha)}
          </span>
          <span className="min-w-0">
            <Badge>{plainLine(environment)}</Badge>
          </span>
          <span className="ml-auto text-small text-muted">
            <TimeAgo at={deployedAt} />
          </span>
        </span>
        {reason !== '' && (
          // Whole: what it says of an error or a rise stands at its end.
          <span className="text-small text-pretty text-muted [overflow-wrap:anywhere]">{reason}</span>
        )}
      </Link>
    </li>
  )
}
