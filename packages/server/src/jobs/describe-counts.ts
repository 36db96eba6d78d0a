/** Says what counted errors look like. Only those of analyses that do not exist yet are read: known ones need no words. */
import { analysisId } from '../analysis/group/analysis-id.ts'
import { describeError } from '../analysis/group/describe-error.ts'
import { MAX_NEW_A_MINUTE } from '../control/analyses/bounds.ts'
import type { ErrorGroup } from '../control/analyses/place-errors.ts'
import type { Control } from '../control/open.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { ErrorCount, LogStore } from '../logstore/log-store.ts'
import type { SampledError } from '../logstore/questions.ts'
import { OVERFLOW_GROUP } from '../model/grouping-rule.ts'
import type { ProjectId } from '../model/project.ts'
import type { SourceStacks } from '../model/source-stacks.ts'

export type AnalysisParts = {
  sources?: SourceStacks | undefined
  control: Pick<Control, 'analyses' | 'groupingRules'>
  logStore: Pick<LogStore, 'errorsOfSegments' | 'project'>
  log: Log
}

type Description = Pick<ErrorGroup, 'title' | 'type' | 'where' | 'service' | 'level' | 'grouping' | 'sample'>
/** A kind of error in one environment, over all segments. */
type Kind = { id: string; errors: number; first: ErrorCount }

const UNSAID: Description = {
  title: '',
  type: '',
  where: '',
  service: '',
  level: 'error',
  grouping: '',
  sample: { logId: '', message: '', error: null, environmentDefaulted: false },
}

export async function describeCounts(
  { control, logStore, sources, log }: AnalysisParts,
  counts: readonly ErrorCount[],
): Promise<(count: ErrorCount) => ErrorGroup> {
  const descriptions = new Map<string, Description>()
  const flooded = new Set<string>()
  for (const [projectId, kinds] of kindsByProject(counts)) {
    const known = await control.analyses.existing(projectId, [...kinds.keys()])
    const missing = [...kinds.values()].filter(({ id }) => !known.has(id))
    missing.sort((a, b) => b.errors - a.errors || (a.id < b.id ? -1 : 1))
    // No more can be created at once, so no more are read.
    for (const { id } of missing.slice(MAX_NEW_A_MINUTE)) flooded.add(id)
    const described = missing.slice(0, MAX_NEW_A_MINUTE)
    const samples = await logStore.project(projectId).samples(described.map(({ first }) => first.firstLogId))
    const byId = new Map(samples.map((sample) => [sample.id, sample]))
    const sourceStackOf =
      samples.length > 0 ? await readSourceStacks({ sources, log }, projectId) : async () => undefined
    for (const { id, first } of described) {
      const sample = byId.get(first.firstLogId)
      descriptions.set(id, describe(first, sample && { ...sample, sourceStack: await sourceStackOf(sample) }))
    }
  }
  return (count) => {
    const id = idOf(count)
    const { segmentId: _, ...group } = count
    if (flooded.has(id)) return { ...group, ...UNSAID, ...OVERFLOW_GROUP }
    return { ...group, ...(descriptions.get(id) ?? UNSAID) }
  }
}

/** Never fails: errors are counted, and described as they were sent, whatever becomes of their maps. */
async function readSourceStacks(
  { sources, log }: Pick<AnalysisParts, 'sources' | 'log'>,
  projectId: ProjectId,
): Promise<(sample: SampledError) => Promise<string | undefined>> {
  const warn = (error: Error) => {
    log.warn(
      { err: error, cause: error.cause, projectId },
      'source maps could not be read; errors are described as sent',
    )
    return null
  }
  let reader = (await sources?.among([projectId]).catch(warn)) ?? null
  return async (sample) => {
    const stack = await reader?.sourceStack(projectId, sample).catch((error) => {
      // A store that is away is not asked once for each of the others.
      if (error instanceof AppError) reader = null
      return warn(error)
    })
    return stack ?? undefined
  }
}

function kindsByProject(counts: readonly ErrorCount[]): Map<ProjectId, Map<string, Kind>> {
  const projects = new Map<ProjectId, Map<string, Kind>>()
  for (const count of counts) {
    const kinds = projects.get(count.projectId) ?? new Map<string, Kind>()
    projects.set(count.projectId, kinds)
    const id = idOf(count)
    const kind = kinds.get(id)
    if (kind === undefined) kinds.set(id, { id, errors: count.count, first: count })
    else {
      kind.errors += count.count
      if (count.firstUs < kind.first.firstUs) kind.first = count
    }
  }
  return projects
}

type Sourced = SampledError & { sourceStack: string | undefined }

function describe(count: ErrorCount, record: Sourced | undefined): Description {
  const logId = count.firstLogId
  if (record === undefined) {
    const title = 'An error whose record was deleted before it was read'
    return { ...UNSAID, title, sample: { ...UNSAID.sample, logId, message: title } }
  }
  const { title, type, where, grouping, message, error, sourceStack } = describeError(record)
  const { service, level, environmentDefaulted, release } = record
  const optional = { ...(sourceStack && { sourceStack }), ...(release && { release }) }
  const sample = { logId, message, error, environmentDefaulted, ...optional }
  return { title, type, where, service, level, grouping, sample }
}

function idOf({ projectId, environment, fingerprint, splitValue }: ErrorCount): string {
  return analysisId(projectId, environment, { fingerprint, splitValue })
}
