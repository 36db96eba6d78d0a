/** Questions about the records of one analysis, or of the time that one deploy ran. */
import { OUTCOME_WORDS } from '@tidemark/wire/deploys/deploy-status'
import { allOf, type Expression, type Query } from '@tidemark/wire/query/ast'
import type { Warning } from '@tidemark/wire/reading/question'
import type { SearchInput } from '@tidemark/wire/reading/search'
import { environmentQuery, errorsOf, recordsQuery } from '../../analysis/group/records-query.ts'
import { unknownAnalysis } from '../../control/analyses/unknown-analysis.ts'
import type { ProjectId, ProjectWithSettings } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { requireDeploy, runOf } from './named-by-id.ts'
import type { ReadingParts } from './reading-parts.ts'
import { EVER, resolveUnlimited, resolveWindow, type Window, windowParts, withinRetention } from './window.ts'

type Asked = Pick<SearchInput, 'analysisId' | 'deployId' | 'environment' | 'from' | 'to'>

type Narrowing = {
  /** Further terms of the search. */
  terms: Expression[]
  /** When the records can be at all; the window is cut to it. */
  within: Partial<TimeRange>
  /** That of the deploy. */
  environment?: string
  warnings: Warning[]
}

export async function narrowingOf(
  { control }: Pick<ReadingParts, 'control'>,
  projectId: ProjectId,
  { analysisId, deployId, environment }: Asked,
): Promise<Narrowing> {
  const narrowing: Narrowing = { terms: [], within: {}, warnings: [] }
  const narrow = ({ root }: Query) => root && narrowing.terms.push(root)
  if (analysisId !== undefined) {
    const analysis = await control.analyses.get(projectId, analysisId)
    if (analysis === null) throw unknownAnalysis('analysisId')
    const records = recordsQuery(analysis, await control.groupingRules.list(projectId))
    narrow(records ?? errorsOf(analysis.environment))
    if (records === null) narrowing.warnings.push({ message: OVERFLOW_WARNING })
    narrowing.within = { fromUs: analysis.firstSeenUs }
  }
  if (deployId !== undefined) {
    const deploy = await requireDeploy(control, projectId, { id: deployId, path: 'deployId', environment })
    narrow(environmentQuery(deploy.environment))
    narrowing.environment = deploy.environment
    const run = await runOf(control, deploy)
    narrowing.within = { ...run, fromUs: Math.max(run.fromUs, narrowing.within.fromUs ?? 0) }
    if (deploy.status !== 'succeeded') {
      const message = `This deploy ${OUTCOME_WORDS[deploy.status]}: what ran then is the one before it.`
      narrowing.warnings.push({ message })
    }
  }
  return narrowing
}

const OVERFLOW_WARNING =
  'This analysis holds errors of too many kinds to tell apart, so all errors of its environment are shown.'

/** Without a `from`, everything the search is narrowed to; with one, the part of it inside the window. */
export async function narrowedWindow(
  parts: Pick<ReadingParts, 'control' | 'now'>,
  project: ProjectWithSettings,
  input: Asked,
  { within }: Narrowing,
): Promise<Window> {
  if (within.fromUs === undefined) return resolveWindow(input, windowParts(parts, project))
  const range = await resolveUnlimited(input, windowParts(parts, project), { defaultFrom: EVER })
  const fromUs = Math.max(range.fromUs, within.fromUs)
  const toUs = Math.min(range.toUs, within.toUs ?? range.toUs)
  // Where nothing can be, the range stays a range: the answer then says that there is nothing in it.
  return withinRetention({ fromUs, toUs: Math.max(toUs, fromUs + 1) }, project)
}

export function narrowed({ root }: Query, { terms }: Pick<Narrowing, 'terms'>): Query {
  return { root: allOf(root === null ? terms : [root, ...terms]) }
}
