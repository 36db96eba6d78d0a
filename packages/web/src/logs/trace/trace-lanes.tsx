import { Link } from '@tanstack/react-router'
import { counted } from '@tidemark/wire/text/counted'
import { levelLook } from '../../marks/level-look.ts'
import { plainBeginning, plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { classNames, dimmed } from '../../ui/class-names.ts'
import { type Lane, laneUs, sinceWords, type Waterfall } from './waterfall.ts'

const TICKS = [0, 0.25, 0.5, 0.75, 1]
/** The same for the labels, the times and the lines over them. On a phone a label stands above its lane, to be read whole. */
const LABEL = 'w-72 shrink-0 max-sm:w-full'
/** Of the id of a span, in a label and in its tooltip. */
const [SPAN, WHOLE_SPAN] = [8, 64]
const BAR_RULE =
  'A record that says how long something took, as with duration_ms, is drawn as a bar. It ends at the time of the record, which a program may log later than what it tells of ended.'
const LANE = 'relative h-full min-w-0 flex-1 max-sm:ml-3'

type LanesProps = {
  projectId: string
  waterfall: Waterfall
  /** Of an earlier search. */
  isOld: boolean
  /** The lane whose records are listed; undefined for all of them. */
  chosen: string | undefined
  openId: string | undefined
  onChoose: (key: string | undefined) => void
  onOpen: (id: string) => void
}

/** A lane for each span of each service, its records at their times, and the deploys of that time. */
export function TraceLanes({ projectId, waterfall, isOld, chosen, openId, onChoose, onOpen }: LanesProps) {
  const { lanes, lengthUs, deploys, restSpans } = waterfall
  const hasBars = lanes.some(({ marks }) => marks.some(({ began }) => began !== undefined))
  return (
    <section
      aria-label="Waterfall"
      className={classNames('max-h-[45%] shrink-0 overflow-y-auto border-b border-border', dimmed(isOld))}
    >
      <div className="sticky top-0 z-10 flex h-6 items-center border-b border-border bg-surface pr-4 text-tiny text-faint tabular-nums">
        <span title={hasBars ? BAR_RULE : undefined} className={classNames('truncate pr-2 pl-3 max-sm:sr-only', LABEL)}>
          Service and span{hasBars && ', bars end when logged'}
        </span>
        <div className={LANE}>
          {TICKS.map((share) => (
            <span
              key={share}
              className={classNames(
                'absolute top-1 whitespace-nowrap',
                share === 1 ? '-translate-x-full' : share > 0 && '-translate-x-1/2',
                share % 0.5 !== 0 && 'max-sm:hidden',
              )}
              style={{ left: `${share * 100}%` }}
            >
              {sinceWords(share * lengthUs)}
            </span>
          ))}
        </div>
      </div>
      <div className="relative pr-4">
        <ul aria-label="Lanes">
          {lanes.map((lane) => (
            <li
              key={lane.key}
              className="flex h-7 items-center hover:bg-hover max-sm:h-11 max-sm:flex-col max-sm:items-stretch"
            >
              <button
                type="button"
                aria-pressed={chosen === lane.key}
                onClick={() => onChoose(chosen === lane.key ? undefined : lane.key)}
                title={`${laneWords(lane, restSpans, WHOLE_SPAN)}: ${counted(lane.marks.length, 'record')}`}
                className={classNames(
                  'flex h-full items-center gap-2 border-l-[3px] pr-2 pl-2 text-left text-small max-sm:h-6',
                  chosen === lane.key ? 'border-accent bg-accent-surface' : 'border-transparent',
                  LABEL,
                )}
              >
                <span className="min-w-0 flex-1 truncate">
                  <span className="font-medium">{laneWords(lane, restSpans)}</span>
                </span>
                <span className="shrink-0 text-tiny text-faint tabular-nums">{tookWords(laneUs(lane, lengthUs))}</span>
                {lane.errors > 0 && (
                  <span className="shrink-0 text-tiny font-semibold text-error">{counted(lane.errors, 'error')}</span>
                )}
              </button>
              <div className={LANE}>
                <span
                  aria-hidden="true"
                  className={classNames(
                    'absolute top-1/2 h-1.5 min-w-0.5 -translate-y-1/2 rounded-full',
                    lane.errors > 0 ? 'bg-error/25' : 'bg-strong-border',
                  )}
                  style={{ left: `${lane.from * 100}%`, width: `${(lane.to - lane.from) * 100}%` }}
                />
                {lane.marks.map(
                  ({ row, share, began }) =>
                    began !== undefined && (
                      <span
                        key={row.id}
                        aria-hidden="true"
                        data-took={row.id}
                        className={classNames(
                          'pointer-events-none absolute top-1/2 h-2.5 min-w-0.5 -translate-y-1/2 rounded-[2px] opacity-40',
                          markClass(row.level),
                        )}
                        style={{ left: `${began * 100}%`, width: `${(share - began) * 100}%` }}
                      />
                    ),
                )}
                {lane.marks.map(({ row, share, isError, tookUs }) => (
                  <button
                    key={row.id}
                    type="button"
                    // The list below holds the same records for the keyboard.
                    tabIndex={-1}
                    aria-hidden="true"
                    onClick={() => onOpen(row.id)}
                    title={`${sinceWords(share * lengthUs)}${tookUs === undefined ? '' : `, took ${tookWords(tookUs)}`} ${row.level}: ${plainBeginning(row.message, 200)}`}
                    className={classNames(
                      'absolute top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-[2px] hover:z-10 hover:outline-2 hover:outline-text',
                      isError ? 'z-[5] h-4 w-[5px]' : 'h-3 w-[3px]',
                      row.id === openId && 'z-10 outline-2 outline-accent',
                      markClass(row.level),
                    )}
                    style={{ left: `${share * 100}%` }}
                  />
                ))}
              </div>
            </li>
          ))}
        </ul>
        {deploys.length > 0 && (
          <div className="pointer-events-none absolute inset-y-0 right-4 left-72 max-sm:left-3">
            {deploys.map(({ row, share }) => (
              <Link
                key={row.id}
                to="/projects/$projectId/deploys/$deployId"
                params={{ projectId, deployId: row.id }}
                aria-label={`Deploy ${shortSha(row.sha)} to ${plainLine(row.environment)}`}
                title={`${shortSha(row.sha)} deployed to ${plainLine(row.environment)}, ${sinceWords(share * lengthUs)}`}
                className="pointer-events-auto absolute inset-y-0 -ml-1 w-2"
                style={{ left: `${share * 100}%` }}
              >
                <span className="mx-auto block h-full w-0.5 bg-deploy" aria-hidden="true" />
              </Link>
            ))}
          </div>
        )}
      </div>
    </section>
  )
}

/** `30 ms`; empty where it is not known. */
const tookWords = (us: number | undefined) => (us === undefined ? '' : sinceWords(us).slice(1))

/** Quiet bars are too faint for marks of three pixels. */
function markClass(level: string): string {
  const look = levelLook(level)
  return look.isLoud || level === 'warn' ? look.bar : 'bg-info'
}

function laneWords({ key, service, span }: Lane, restSpans: number, characters = SPAN): string {
  if (key === 'rest') return counted(restSpans, 'more span')
  const name = service === '' ? 'no service' : plainLine(service)
  return span === '' ? name : `${name} ${plainBeginning(span, characters)}`
}
