import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Comparison } from '@tidemark/wire/dashboard/logs-question'
import type { PatternsAnswer } from '@tidemark/wire/reading/patterns'
import type { DeployRow } from '@tidemark/wire/reading/row'
import { counted } from '@tidemark/wire/text/counted'
import { deployQuery } from '../../api/deploys.ts'
import { useIsBelow } from '../../frame/use-is-below.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatShort } from '../../time/format-time.ts'
import { SelectField } from '../../ui/field.tsx'
import { usePreferences, type Zone } from '../../ui/preferences.ts'
import type { LogsAddress } from '../logs-address.ts'
import type { Window } from './comparison.ts'
import { changesOf, SORTS, type Sort } from './pattern-order.ts'

type ToolbarProps = {
  address: LogsAddress
  comparison: Comparison
  sort: Sort
  /** Those of the range. */
  deploys: readonly DeployRow[]
  /** Undefined while it is that of an earlier question. */
  answer: PatternsAnswer | undefined
}

/** What the patterns are compared with, in words and to choose. */
export function PatternsToolbar({ address, comparison, sort, deploys, answer }: ToolbarProps) {
  const { zone } = usePreferences()
  const isPhone = useIsBelow('sm')
  const { projectId, change } = address
  const { environment } = address.filter
  const wantedId = comparison.kind === 'deploy' ? comparison.deployId : undefined
  const isListed = wantedId === undefined || deploys.some(({ id }) => id === wantedId)
  const { data } = useQuery({ ...deployQuery(projectId, wantedId ?? ''), enabled: !isListed })
  const listed = deploys.find(({ id }) => id === wantedId)
  const chosen = listed ?? (data && { ...data.deploy, timestamp: data.deploy.deployedAt })
  const newestFirst = deploys.toSorted((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp))
  const wordsOf = (deploy: SinceDeploy) =>
    isPhone && deploy === chosen ? `Since ${shortSha(deploy.sha)}` : deployWords(deploy, zone, environment)
  const sorts = comparison.kind === 'off' ? SORTS.filter(({ value }) => value !== 'change') : SORTS
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-border px-3 py-1.5">
      <p className="min-h-[18px] min-w-0 flex-1 basis-80 text-small text-muted tabular-nums">
        {answer && answer.records > 0 && (
          <Compared projectId={projectId} comparison={comparison} answer={answer} sha={chosen?.sha} zone={zone} />
        )}
      </p>
      <div className="flex max-w-full min-w-0 gap-2 max-sm:w-full">
        <div className="w-72 min-w-0 max-sm:w-auto max-sm:flex-[3]">
          <SelectField
            label="Compare with"
            isLabelHidden
            value={wantedId ?? comparison.kind}
            options={[
              { value: 'before', label: 'Compare: time before' },
              { value: 'off', label: 'Compare: nothing' },
              ...(wantedId !== undefined && !isListed
                ? [
                    {
                      value: wantedId,
                      label: chosen ? wordsOf(chosen) : isPhone ? 'Since a deploy' : 'Before and after a deploy',
                    },
                  ]
                : []),
              ...newestFirst.map((deploy) => ({ value: deploy.id, label: wordsOf(deploy) })),
            ]}
            onChange={({ target: { value } }) =>
              change({ compare: value === 'before' ? undefined : value, pattern: undefined })
            }
          />
        </div>
        <div className="w-40 min-w-0 max-sm:w-auto max-sm:flex-[2]">
          <SelectField
            label="Sort"
            isLabelHidden
            value={sort}
            options={sorts}
            onChange={({ target: { value } }) => change({ sort: value === sorts[0]?.value ? undefined : value })}
          />
        </div>
      </div>
    </div>
  )
}

type ComparedProps = {
  projectId: string
  comparison: Comparison
  answer: PatternsAnswer
  sha: string | undefined
  zone: Zone
}

function Compared({ projectId, comparison, answer, sha, zone }: ComparedProps) {
  const { window, baseWindow, baseRecords, environment, patterns } = answer
  if (baseWindow === null || baseRecords === null) return windowWords(window, zone)
  const changes = changesOf(patterns)
  const head = baseRecords === 0 ? 'Nothing to compare' : changes === '' ? 'Nothing changed' : changes
  return (
    <>
      <strong className="font-medium text-text">{head}</strong>
      {comparison.kind === 'deploy' ? (
        <>
          {' since '}
          <Link
            to="/projects/$projectId/deploys/$deployId"
            params={{ projectId, deployId: comparison.deployId }}
            className="font-mono text-deploy hover:underline"
          >
            {sha === undefined ? 'the deploy' : shortSha(sha)}
          </Link>
          {environment !== null && ` in ${plainLine(environment)}`}: {windowWords(window, zone)} compared with{' '}
          {windowWords(baseWindow, zone, window)}
        </>
      ) : (
        ` compared with the time before: ${windowWords(baseWindow, zone)}`
      )}
      {`, ${counted(baseRecords, 'record')}`}
    </>
  )
}

type SinceDeploy = Pick<DeployRow, 'sha' | 'environment' | 'timestamp'>

/** The environment comes last, where the box cuts the text, and not at all where the page is of that one alone. */
function deployWords({ sha, environment, timestamp }: SinceDeploy, zone: Zone, shown: string | undefined) {
  const since = `Since deploy ${shortSha(sha)}, ${formatShort(timestamp, zone)}`
  return environment === shown ? since : `${since}, ${plainLine(environment)}`
}

/** `15 Nov 14:03 – 15:03`: the day is said again only where it is another one, also than that of a span named before. */
export function windowWords({ from, to }: Window, zone: Zone, before?: Window): string {
  const [start, end] = [formatShort(from, zone), formatShort(to, zone)]
  const day = start.slice(0, -CLOCK)
  const isKnown = before !== undefined && formatShort(before.from, zone).startsWith(day)
  return `${isKnown ? start.slice(day.length) : start} – ${end.startsWith(day) ? end.slice(day.length) : end}`
}

const CLOCK = '14:03'.length
