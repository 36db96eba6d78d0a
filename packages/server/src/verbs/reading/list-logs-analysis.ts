/** Searches for the records of one analysis, or of the time that one deploy ran. */
import { allOf, type Expression, type Query } from '@tidemark/wire/query/ast'
import type { SearchInput, Warning } from '@tidemark/wire/reading'
import { environmentQuery, errorsOf, recordsQuery } from '../../analysis/cause/evidence.ts'
import { AppError } from '../../errors.ts'
import type { TimeRange } from '../../logstore/log-store.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId, ProjectWithSettings } from '../../model/project.ts'
import type { ReadingParts } from './reading-parts.ts'
import { EVER, resolveUnlimited, resolveWindow, type Window, windowParts, withinRetention } from './window.ts'

type Asked = Pick<SearchInput, 'analysisId' | 'deployId' | 'environment' | 'from' | 'to'>

export type Narrowing = {
  /** Further terms of the search. */
  terms: Expression[]
  /** When the records can be at all; the window is cut to it. */
  within: Partial<TimeRange>
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
    const next = await nextDeploy(control, deploy)
    const fromUs = Math.max(deploy.deployedAtUs, narrowing.within.fromUs ?? 0)
    narrowing.within = { fromUs, ...(next && { toUs: next.deployedAtUs }) }
    if (deploy.status !== 'succeeded') {
      const message = `This deploy ${deploy.status === 'failed' ? 'failed' : 'was cancelled'}: what ran then is the one before it.`
      narrowing.warnings.push({ message })
    }
  }
  return narrowing
}

const OVERFLOW_WARNING =
  'This analysis holds errors of too many kinds to tell apart, so all errors of its environment are shown.'

/** The deploy that a question names in its field `path`. If it also names an environment, it must be the deploy's. */
export async function requireDeploy(
  { deploys }: Pick<ReadingParts['control'], 'deploys'>,
  projectId: ProjectId,
  { id, path, environment }: { id: string; path: string; environment: string | undefined },
): Promise<Deploy> {
  const deploy = await deploys.get(projectId, id)
  if (deploy === null) throw badField(path, 'No deploy of this project has that id. List the deploys to find one.')
  if (environment === undefined || environment === deploy.environment) return deploy
  const message = `The deploy went to ${JSON.stringify(deploy.environment)}: leave environment out, or name that one.`
  throw badField('environment', message, 'invalid_request')
}

/** The one that replaced it: the next that succeeded in the environment. */
export async function nextDeploy(
  { deploys }: Pick<ReadingParts['control'], 'deploys'>,
  deploy: Deploy,
): Promise<Deploy | null> {
  const { projectId, environment } = deploy
  const filter = { environment, status: 'succeeded', order: 'oldest', limit: 1, after: deploy } as const
  const [next = null] = await deploys.list(projectId, filter)
  return next
}

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

export function narrowed({ root }: Query, { terms }: Narrowing): Query {
  return { root: allOf(root === null ? terms : [root, ...terms]) }
}

function badField(path: string, message: string, code: 'not_found' | 'invalid_request' = 'not_found'): AppError {
  return new AppError(code, message, { fields: [{ path, message }] })
}

/** The same words for an id that never existed and for another project's. */
export function unknownAnalysis(path = 'id'): AppError {
  return badField(path, 'No analysis of this project has that id. List the analyses to find one.')
}
