import { Link } from '@tanstack/react-router'
import type { SilentService } from '@tidemark/wire/reading/overview'
import { VolumeX } from 'lucide-react'
import { plainLine } from '../text/plain-text.ts'
import { formatElapsed } from '../time/elapsed.ts'
import { formatFull, formatShort } from '../time/format-time.ts'
import { Badge } from '../ui/badge.tsx'
import { usePreferences } from '../ui/preferences.ts'
import { lastWordsSearch } from './links.ts'
import { Calm, Panel } from './panel.tsx'

export function SilentServices({ projectId, services }: { projectId: string; services: readonly SilentService[] }) {
  return (
    <Panel id="silent" title="Silent services">
      {services.length === 0 ? (
        <Calm>No service fell silent.</Calm>
      ) : (
        <ul aria-label="Silent services">
          {services.map((one) => (
            <SilentLine key={`${one.environment} ${one.service}`} projectId={projectId} one={one} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function SilentLine({ projectId, one }: { projectId: string; one: SilentService }) {
  const { zone } = usePreferences()
  const { service, environment, lastSeen, silentSeconds, longestGapSeconds } = one
  return (
    <li className="border-b border-border last:border-0">
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId }}
        search={lastWordsSearch(one)}
        title="The last thing it logged"
        className="flex flex-col gap-1 px-3 py-2 hover:bg-hover"
      >
        <span className="flex items-baseline gap-2">
          <VolumeX size={14} className="shrink-0 self-center text-warn" aria-hidden="true" />
          <span className="min-w-0 truncate font-medium">{plainLine(service)}</span>
          <span className="ml-auto shrink-0 font-medium text-warn tabular-nums">
            silent for {formatElapsed(silentSeconds)}
          </span>
        </span>
        <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-small text-muted tabular-nums">
          <Badge>{plainLine(environment)}</Badge>
          <span>
            since{' '}
            <time dateTime={lastSeen} title={formatFull(lastSeen, zone)}>
              {formatShort(lastSeen, zone)}
            </time>
            , earlier pauses at most {formatElapsed(longestGapSeconds)}
          </span>
        </span>
      </Link>
    </li>
  )
}
