import { Link } from '@tanstack/react-router'
import type { DeployPattern } from '@tidemark/wire/deploys/verdict'
import type { DeployDetailAnswer } from '@tidemark/wire/reading/deploys'
import { counted } from '@tidemark/wire/text/counted'
import { levelLook } from '../../marks/level-look.ts'
import { plainLine } from '../../text/plain-text.ts'
import { spanWords } from '../../time/elapsed.ts'
import { classNames } from '../../ui/class-names.ts'
import { Part, PartList } from './part.tsx'
import { comparedMs, type PatternState, patternSearch } from './pattern-search.ts'

type PatternsProps = { projectId: string; answer: DeployDetailAnswer }

const PARTS = [
  { state: 'new', title: 'New patterns', aside: 'messages that are logged only since this deploy', place: 'after it' },
  { state: 'gone', title: 'Gone patterns', aside: 'messages that are no longer logged since', place: 'before it' },
] as const

/** What is said only since, and no longer said. They are shown and never decide the verdict. */
export function DeployPatterns({ projectId, answer }: PatternsProps) {
  const { newPatterns, gonePatterns } = answer
  const span = spanWords(comparedMs(answer) * 1_000)
  return PARTS.map(({ state, title, aside, place }) => {
    const patterns = state === 'new' ? newPatterns : gonePatterns
    return (
      patterns.length > 0 && (
        <Part key={state} title={title} aside={`${aside}, counted in ${span} ${place}`}>
          <PartList items={patterns} keyOf={({ pattern, query }) => `${query} ${pattern}`}>
            {(pattern) => <PatternLine {...{ projectId, answer, pattern, state }} />}
          </PartList>
        </Part>
      )
    )
  })
}

type LineProps = PatternsProps & { pattern: DeployPattern; state: PatternState }

function PatternLine({ projectId, answer: { deploy, after }, pattern, state }: LineProps) {
  const search = patternSearch(pattern, state, { ...deploy, after })
  const line = <PatternWords pattern={pattern} />
  if (search === null) return <div className="px-3 py-2">{line}</div>
  return (
    <Link
      to="/projects/$projectId/logs"
      params={{ projectId }}
      search={search}
      className="block px-3 py-2 hover:bg-hover"
    >
      {line}
    </Link>
  )
}

function PatternWords({ pattern: { pattern, count, levels, services } }: Pick<LineProps, 'pattern'>) {
  return (
    <span className="flex flex-col gap-x-3 gap-y-0.5 sm:flex-row sm:items-baseline">
      <span className="line-clamp-2 min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">
        {plainLine(pattern)}
      </span>
      <span className="flex min-w-0 items-baseline gap-x-3 text-small text-muted">
        <span className="shrink-0 whitespace-nowrap sm:text-right">
          {levels.map((level) => (
            <span key={level} className={classNames('ml-1.5 first:ml-0', levelLook(level).text)}>
              {plainLine(level)}
            </span>
          ))}
        </span>
        <span className="min-w-0 truncate sm:max-w-40">{services.map(plainLine).join(', ')}</span>
        <span className="ml-auto shrink-0 text-right whitespace-nowrap tabular-nums sm:w-28">
          {counted(count, 'record')}
        </span>
      </span>
    </span>
  )
}
