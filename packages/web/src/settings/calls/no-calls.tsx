import { Link } from '@tanstack/react-router'
import { CALLS_KEPT_DAYS } from '@tidemark/wire/limits'
import { buttonClass } from '../../ui/button.tsx'

export function NoCalls({ projectId, hasKeys }: { projectId: string; hasKeys: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-border bg-surface p-4 text-muted">
      <p>
        {hasKeys
          ? `No agent has called in the last ${CALLS_KEPT_DAYS} days.`
          : 'There is no read key yet, so no agent can call.'}
      </p>
      {hasKeys ? (
        <Link
          to="/projects/$projectId/settings/$section"
          params={{ projectId, section: 'calls' }}
          search={{ start: 'open' }}
          className={buttonClass('primary')}
        >
          Connect an agent
        </Link>
      ) : (
        <Link
          to="/projects/$projectId/settings/$section"
          params={{ projectId, section: 'keys' }}
          className={buttonClass('primary')}
        >
          Create a read key
        </Link>
      )}
    </div>
  )
}
