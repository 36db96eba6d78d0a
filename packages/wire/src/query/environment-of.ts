/**
 * The environment part of a query, which also applies to deploys shown among its records. No other term ever hides a
 * deploy.
 *
 * A condition applies where it holds for the whole query: where it is one of the terms that all must match, and
 * concerns only the environment. So in `environment:prod timeout`, `-environment:dev` and `environment:(a OR b) x` it
 * does; in `environment:prod OR timeout` it does not, because records of other environments match too. Regular
 * expressions do not apply: a stranger's pattern is never run outside the log engine.
 */
import { conjunctsOf, type Expression, type Query, termsOf } from './ast.ts'
import { fitsWildcard } from './wildcard.ts'

export type EnvironmentPart = {
  /** The only environments that can match, or null for no such list. */
  include: string[] | null
  exclude: string[]
  /** The exact answer; the two lists are the part of it that a database can use. */
  matches(environment: string): boolean
}

export function environmentOf(query: Query): EnvironmentPart {
  const parts = conjunctsOf(query).filter((part) => termsOf(part).every(isEnvironmentTerm))
  let include: string[] | null = null
  const exclude = new Set<string>()
  for (const part of parts) {
    const listed = namesIn(part)
    if (listed) include = (include ?? listed).filter((name) => listed.includes(name))
    if (part.kind === 'not') for (const name of namesIn(part.part) ?? []) exclude.add(name)
  }
  return {
    include: include && [...new Set(include)],
    exclude: [...exclude],
    matches: (environment) => parts.every((part) => holds(part, environment)),
  }
}

function isEnvironmentTerm(term: Expression): boolean {
  const isAbout = (term.kind === 'field' || term.kind === 'has') && term.field.name === 'environment'
  return isAbout && term.field.kind === 'core' && !(term.kind === 'field' && term.match.kind === 'regex')
}

/** The names of which one must match, or null when it is not a list of names. */
function namesIn(expression: Expression): string[] | null {
  if (expression.kind === 'field' && expression.match.kind === 'literal') return [expression.match.value]
  if (expression.kind !== 'or') return null
  const lists = expression.parts.map(namesIn)
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? [])
}

function holds(expression: Expression, environment: string): boolean {
  switch (expression.kind) {
    case 'and':
      return expression.parts.every((part) => holds(part, environment))
    case 'or':
      return expression.parts.some((part) => holds(part, environment))
    case 'not':
      return !holds(expression.part, environment)
    case 'has':
      return environment !== ''
    case 'text':
      return true
    case 'field':
      if (expression.match.kind === 'literal') return expression.match.value === environment
      return expression.match.kind === 'wildcard' ? fitsWildcard(expression.match, environment) : true
  }
}
