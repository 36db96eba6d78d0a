/** What the records say since a deploy that they did not before, and no longer say: shown beside its verdict. */
import type { DeployPattern } from '@tidemark/wire/deploys/verdict'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { unlessAway } from '../causes/unless-away.ts'
import { comparedSpans } from '../reading/compared-spans.ts'
import { comparisonWarnings } from '../reading/comparison-warnings.ts'
import { narrowed } from '../reading/narrowing.ts'
import { rankedPatterns } from '../reading/patterns/list-log-patterns.ts'
import type { RankedPattern } from '../reading/patterns/rank-patterns.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

/** How many patterns each list has. */
const MAX_LISTED = 10
const EVERYTHING = { root: null }

type DeployPatterns = { newPatterns: DeployPattern[]; gonePatterns: DeployPattern[] }

/** Empty for a deploy that never went live, while the log store is away, and where retention has taken some of the records. */
export async function deployPatterns(
  parts: ReadingParts,
  project: ProjectWithSettings,
  { id, status, deployedAtUs }: Deploy,
  signal: AbortSignal | undefined,
): Promise<DeployPatterns> {
  const isLive = status === 'succeeded' && deployedAtUs <= parts.now() * 1_000
  const answer = isLive ? await unlessAway(readAround(parts, project, id, signal), signal) : null
  const listed = (state: 'new' | 'gone') =>
    (answer?.patterns ?? [])
      .filter((one) => one.state === state)
      .map(({ pattern, count, baseCount, levels, services, query }) => ({
        pattern,
        count: state === 'new' ? count : (baseCount ?? 0),
        levels,
        services,
        query,
      }))
  return { newPatterns: listed('new'), gonePatterns: listed('gone') }
}

async function readAround(
  parts: ReadingParts,
  project: ProjectWithSettings,
  deployId: string,
  signal: AbortSignal | undefined,
) {
  const { range, base, terms, environment } = await comparedSpans(parts, project, { deployId })
  if (comparisonWarnings(project, { range, base, environment }, parts.now()).length > 0) return null
  const filter = narrowed(EVERYTHING, { terms })
  return rankedPatterns(parts, project, { range, base, filter, search: EVERYTHING, shownOf: listedOf, signal })
}

function listedOf(ranked: readonly RankedPattern[]): RankedPattern[] {
  const first = (state: 'new' | 'gone') => ranked.filter((one) => one.state === state).slice(0, MAX_LISTED)
  return [...first('new'), ...first('gone')]
}
