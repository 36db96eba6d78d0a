import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Verdict } from '@tidemark/wire/deploys/deploy-status'
import type { DeployRow } from '@tidemark/wire/reading/row'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { knownDeploysQuery } from '../../api/deploys.ts'
import { cornersOfFlag, placeOfFlag } from '../../marks/flag-place.ts'
import { VerdictMark } from '../../marks/verdict-mark.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatMomentSeconds } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { CAPTION_HEIGHT, type Marker, PLOT_TOP } from './histogram-layout.ts'

type MarkersProps = {
  projectId: string
  /** What is charted: the verdicts of its deploys are asked for once one of them is pointed at. */
  asked: { environment: string | undefined; from: string; to: string }
  markers: readonly Marker[]
  width: number
  onOpen: (marker: Marker) => void
}

/** A flag at the lines of deploys: filled for production, outlined where all of them went where things are tried. */
export function DeployMarkers({ projectId, asked: { environment, from, to }, markers, width, onOpen }: MarkersProps) {
  const [shown, setShown] = useState<Marker>()
  const known = useQuery({
    ...knownDeploysQuery(projectId, { environment, from, to }),
    enabled: shown !== undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      {markers.map((marker) => (
        <button
          key={marker.deploys[0]?.id}
          type="button"
          style={{ top: CAPTION_HEIGHT, ...placeOfFlag(marker, width) }}
          data-deploy={marker.deploys[0]?.id}
          aria-label={labelOf(marker)}
          onClick={() => onOpen(marker)}
          onPointerEnter={() => setShown(marker)}
          onPointerLeave={() => setShown(undefined)}
          onFocus={() => setShown(marker)}
          onBlur={() => setShown(undefined)}
          className={classNames(
            'absolute flex h-4 min-w-[18px] items-center gap-0.5 border border-deploy px-[3px] text-tiny font-semibold',
            marker.isProduction ? 'bg-deploy text-surface' : 'bg-deploy-surface text-deploy',
            cornersOfFlag(marker),
          )}
        >
          <Flag size={10} className="pointer-events-none" aria-hidden="true" />
          {marker.deploys.length > 1 && <span className="pointer-events-none">{marker.deploys.length}</span>}
        </button>
      ))}
      {shown && (
        <div
          role="tooltip"
          className="float pointer-events-none absolute z-20 max-w-[min(480px,90vw)] px-2.5 py-2 text-small"
          style={{ top: PLOT_TOP, ...(shown.x > width / 2 ? { right: width - shown.x + 6 } : { left: shown.x + 6 }) }}
        >
          {shown.deploys.slice(-4).map((deploy) => (
            <DeployTip key={deploy.id} deploy={deploy} verdict={known.data?.get(deploy.id)?.verdict ?? null} />
          ))}
          {shown.deploys.length > 4 && <p className="text-faint">and {shown.deploys.length - 4} before</p>}
        </div>
      )}
    </>
  )
}

type TipProps = { deploy: DeployRow; verdict: Verdict | null }

function DeployTip({ deploy: { sha, ref, author, environment, timestamp, message }, verdict }: TipProps) {
  const { zone } = usePreferences()
  return (
    <div className="py-0.5">
      <p className="tabular-nums [overflow-wrap:anywhere] sm:truncate">
        <span className="font-mono font-medium text-deploy">{shortSha(sha)}</span> {plainLine(environment)}
        {ref !== null && ` · ${plainLine(ref)}`}
        {author !== null && ` · by ${plainLine(author)}`}
        <span className="whitespace-nowrap text-faint"> · {formatMomentSeconds(timestamp, zone)}</span>
      </p>
      {message !== null && <p className="truncate text-muted">{plainLine(message.split('\n')[0] ?? '')}</p>}
      {verdict !== null && <VerdictMark verdict={verdict} />}
    </div>
  )
}

function labelOf({ deploys }: Marker): string {
  const [deploy] = deploys
  if (!deploy) return ''
  if (deploys.length > 1) return `${deploys.length} deploys`
  return `Deploy ${shortSha(deploy.sha)} to ${plainLine(deploy.environment)}`
}
