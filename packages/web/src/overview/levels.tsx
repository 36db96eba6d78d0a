import { Link } from '@tanstack/react-router'
import { ERROR_LEVELS, isErrorLevel } from '@tidemark/wire/level'
import type { OverviewAnswer } from '@tidemark/wire/reading/overview'
import { withCommas } from '@tidemark/wire/text/counted'
import { levelLook } from '../marks/level-look.ts'
import { classNames } from '../ui/class-names.ts'
import { ComparisonMark } from './comparison-mark.tsx'
import { type Asked, logsSearch } from './links.ts'

/** Shown even when there are none: on a wall display, each number keeps its place. */
const ALWAYS: readonly string[] = ERROR_LEVELS.toReversed()

type LevelsProps = {
  projectId: string
  asked: Asked
  overview: Pick<OverviewAnswer, 'levels' | 'records' | 'baseRecords'>
}

/** How many records of each level there are, compared with the time before; each number leads to its records. */
export function Levels({ projectId, asked, overview: { levels, records, baseRecords } }: LevelsProps) {
  const known = new Map(levels.map((one) => [one.level, one]))
  const shown = [
    ...ALWAYS.map((level) => known.get(level) ?? { level, count: 0, baseCount: 0 }),
    ...levels.filter(({ level }) => !isErrorLevel(level)),
  ]
  return (
    <section aria-label="Levels">
      <ul className="flex flex-wrap gap-px overflow-hidden rounded-control border border-border bg-border">
        {shown.map(({ level, count, baseCount }) => (
          <Tile
            key={level}
            name={level}
            bar={levelLook(level).bar}
            tone={isErrorLevel(level) && count > 0 ? levelLook(level).text : undefined}
            link={{ projectId, search: logsSearch(asked, `level:${level}`) }}
            {...{ count, before: baseCount, recordsBefore: baseRecords, isBadUp: isErrorLevel(level) }}
          />
        ))}
        <Tile
          name="all records"
          link={{ projectId, search: logsSearch(asked) }}
          {...{ count: records, before: baseRecords, recordsBefore: baseRecords }}
        />
      </ul>
    </section>
  )
}

type TileProps = {
  name: string
  bar?: string
  tone?: string | undefined
  link: { projectId: string; search: ReturnType<typeof logsSearch> }
  count: number
  before: number
  recordsBefore: number
  isBadUp?: boolean
}

/** Where there is nothing to compare with, that is said once for all of them. */

function Tile({ name, bar, tone, link, count, before, recordsBefore, isBadUp = false }: TileProps) {
  return (
    <li className="flex min-h-[104px] min-w-0 flex-1 basis-24 bg-surface sm:min-h-[86px] sm:basis-36">
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId: link.projectId }}
        search={link.search}
        className="flex min-w-0 flex-1 flex-col justify-center gap-0.5 px-3 py-2.5 hover:bg-hover"
      >
        <span className="flex items-center gap-2 text-small text-muted">
          {bar && <span className={classNames('h-3 w-[3px] rounded-full', bar)} aria-hidden="true" />}
          <span className="first-letter:uppercase">{name}</span>
        </span>
        <span className={classNames('text-title font-semibold tabular-nums', tone)}>{withCommas(count)}</span>
        {recordsBefore > 0 && <ComparisonMark {...{ count, before, recordsBefore, isBadUp }} />}
      </Link>
    </li>
  )
}
