import { Link } from '@tanstack/react-router'
import { counted } from '@tidemark/wire/text/counted'
import { Flag } from 'lucide-react'
import { type CSSProperties, Fragment } from 'react'
import { cornersOfFlag, placeOfFlag } from '../../marks/flag-place.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatFull } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences, type Zone } from '../../ui/preferences.ts'
import { AXIS_HEIGHT, type DeployFlag, type DeployLine } from './occurrences-layout.ts'

/** More names would not be read, and the list of deploys has them. */
const NAMED = 6
/** Windows do not include their end. */
const PAST_END_MS = 1_000

type FlagsProps = {
  projectId: string
  environment: string
  flags: readonly DeployFlag[]
  /** Of the chart. */
  width: number
}

/** Solid for recorded deploys, dashed for what was inferred, light for those that are not the one in question, which alone has a line here. */
export function DeployFlags({ flags, width, ...of }: FlagsProps) {
  return flags.map((flag) => {
    const { told, lines, x } = flag
    const kind = told?.kind ?? 'other'
    return (
      <Fragment key={lines.map(({ id, at }) => `${id} ${at}`).join(' ')}>
        {told && !told.isEarlier && (
          <div
            aria-hidden="true"
            className={classNames(
              'pointer-events-none absolute top-0 -ml-px border-l-2 border-deploy',
              kind === 'inferred' && 'border-dashed',
            )}
            style={{ left: x, bottom: AXIS_HEIGHT }}
          />
        )}
        <FlagLink
          {...of}
          flag={flag}
          style={placeOfFlag(flag, width)}
          className={classNames(
            'absolute top-0 flex h-[18px] min-w-[18px] items-center gap-1 px-1 text-tiny font-semibold whitespace-nowrap -outline-offset-2',
            cornersOfFlag(flag),
            kind === 'recorded' && 'bg-deploy text-surface',
            kind === 'inferred' && 'border border-dashed border-deploy bg-surface text-deploy',
            kind === 'other' && 'bg-deploy-surface text-deploy',
          )}
        />
      </Fragment>
    )
  })
}

type FlagProps = Omit<FlagsProps, 'flags' | 'width'> & { flag: DeployFlag; className: string; style: CSSProperties }

/** Opens the deploy in question or the only one, else the list of those it stands for. */
function FlagLink({ projectId, environment, flag: { lines, told }, ...place }: FlagProps) {
  const { zone } = usePreferences()
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return null
  const label = labelOf(lines, told, zone)
  const shared = { title: label, 'aria-label': label, ...place }
  const others = told ? lines.length - 1 : lines.length
  const content = (
    <>
      <Flag size={10} className="pointer-events-none shrink-0" aria-hidden="true" />
      {/* The blanks are for whoever hears it: what is seen is what the label says. */}
      {told && <span className="pointer-events-none font-mono">{shortSha(told.sha)}</span>}{' '}
      {told?.isEarlier && <span className="pointer-events-none">earlier</span>}{' '}
      {lines.length > 1 && <span className="pointer-events-none tabular-nums">{told ? `+${others}` : others}</span>}
    </>
  )
  const one = told ?? (lines.length === 1 ? first : undefined)
  if (one?.id === null) {
    return (
      <span role="img" {...shared}>
        {content}
      </span>
    )
  }
  if (one) {
    return (
      <Link to="/projects/$projectId/deploys/$deployId" params={{ projectId, deployId: one.id }} {...shared}>
        {content}
      </Link>
    )
  }
  const to = new Date(Date.parse(last.at) + PAST_END_MS).toISOString()
  return (
    <Link
      to="/projects/$projectId/deploys"
      params={{ projectId }}
      search={{ environment, from: first.at, to }}
      {...shared}
    >
      {content}
    </Link>
  )
}

/** Says what is written on the flag, for whoever speaks to the page, and then what that means. */
function labelOf(lines: readonly DeployLine[], told: DeployLine | undefined, zone: Zone): string {
  const one = told ?? (lines.length === 1 ? lines[0] : undefined)
  if (one === undefined) {
    const shas = lines.slice(-NAMED).map(({ sha }) => shortSha(sha))
    const before = lines.length - shas.length
    return `${counted(lines.length, 'deploy')}: ${shas.join(', ')}${before > 0 ? ` and ${before} before` : ''}`
  }
  const others = lines.length - 1
  const written = [shortSha(one.sha), one.isEarlier && 'earlier', others > 0 && `+${others}`].filter(Boolean).join(' ')
  const what = one.kind === 'inferred' ? 'Inferred from the repository:' : 'Deploy'
  const notes = [one.isEarlier && 'before this chart', others > 0 && `and ${counted(others, 'other deploy')}`]
  return [`${what} ${written}`, formatFull(one.at, zone), ...notes.filter(Boolean)].join(', ')
}
