import { Link } from '@tanstack/react-router'
import type { ApiKey } from '@tidemark/wire/people/key'
import { plainLine } from '../../text/plain-text.ts'

/** To what was asked with a read key. */
export function CallsLink({ projectId, apiKey }: { projectId: string; apiKey: ApiKey }) {
  return (
    <Link
      to="/projects/$projectId/settings/$section"
      params={{ projectId, section: 'calls' }}
      search={{ key: apiKey.id }}
      className="inline-flex h-control items-center px-2.5 text-accent hover:underline max-sm:-ml-2.5"
      aria-label={`Calls with ${plainLine(apiKey.name)}`}
    >
      Calls
    </Link>
  )
}
