/** Decides which analysis each group of errors counts into, and what the rows of these analyses become. Writes nothing. */

import { addOccurrences, neededCut, type Standing } from '../../analysis/episode/episodes.ts'
import { analysisId } from '../../analysis/group/analysis-id.ts'
import { ignoringRule, mergedGroup } from '../../analysis/group/group-of-record.ts'
import { AppError } from '../../errors.ts'
import { type Analysis, type AnalysisStatus, OVERFLOW_FINGERPRINT } from '../../model/analysis.ts'
import { type Group, type GroupingRule, OVERFLOW_GROUP } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ControlTransaction } from '../database/database.ts'
import { roomForNew } from './bounds.ts'
import { type IgnoredRow, ignoredRow } from './ignored-analyses.ts'
import { type AnalysisRow, episodeColumns, parseEpisodes, readRows, type SampleRow, sampleRow } from './rows.ts'

/** Errors of one group in one segment on one UTC day. */
export type ErrorGroup = Pick<Analysis, 'projectId' | 'environment' | 'fingerprint' | 'splitValue' | 'count'> & {
  firstUs: number
  firstLogId: string
  lastUs: number
} & Described

/**
 * Of the first record; what a new analysis is made from. A sample without `logId` says that nobody looked, because the
 * analysis exists: if it does not, nothing is recorded and the error is `unavailable`.
 */
type Described = Pick<Analysis, 'title' | 'type' | 'where' | 'service' | 'level' | 'grouping' | 'sample'>

/** An analysis was resolved at `atUs`, between the first and the last error of the group: the caller must split it. */
export type NeededSplit = { segmentId: string; group: ErrorGroup; atUs: number }

type Errors = { segmentId: string; group: ErrorGroup }
type Rules = ReadonlyMap<ProjectId, readonly GroupingRule[]>

/** An analysis and what will be counted into it. */
type Target = { id: string; projectId: ProjectId; environment: string; key: Group; errors: Errors[] }

/** `ignored`: which of the new ones start so, and why. `known`: the rows as they were, by id. */
type Placement = {
  splits: NeededSplit[]
  rows: AnalysisRow[]
  samples: SampleRow[]
  ignored: IgnoredRow[]
  known: ReadonlyMap<string, AnalysisRow>
}

const OVERFLOW_TITLE = 'Errors of more kinds than can be told apart'
const OVERFLOW_GROUPING =
  'not grouped: there were more kinds of errors than are told apart, so the rest of this environment is counted here'

export async function placeErrors(
  transaction: ControlTransaction,
  { errors, rules, nowMs }: { errors: readonly Errors[]; rules: Rules; nowMs: number },
): Promise<Placement> {
  const targets = new Map<string, Target>()
  for (const one of errors) {
    const { projectId, environment, fingerprint, splitValue } = one.group
    const key = mergedGroup({ fingerprint, splitValue }, rules.get(projectId) ?? [])
    addTo(targets, { projectId, environment, key }, [one])
  }
  const known = await existingRows(transaction, [...targets.keys()])
  await overflow(transaction, targets, known, nowMs)

  const placement: Placement = { splits: [], rows: [], samples: [], ignored: [], known }
  for (const target of targets.values()) {
    target.errors.sort((a, b) => a.group.firstUs - b.group.firstUs || (a.segmentId < b.segmentId ? -1 : 1))
    const before = known.get(target.id)
    if (before !== undefined) {
      placement.splits.push(...count(target, before, nowMs, placement.rows))
      continue
    }
    const started = newRow(target, nowMs)
    const rule = isOverflow(target.key) ? undefined : ignoringRule(started, rules.get(target.projectId) ?? [])
    if (rule !== undefined) {
      placement.ignored.push(ignoredRow(started, rule.id))
      started.status = 'ignored'
    }
    placement.splits.push(...count(target, started, nowMs, placement.rows))
    placement.samples.push(sampleRow(started, sampleOf(target)))
  }
  return placement
}

/** Adds the row with its new values, or says at which moments the errors must be cut. */
function count(target: Target, row: AnalysisRow, nowMs: number, rows: AnalysisRow[]): NeededSplit[] {
  const splits: NeededSplit[] = []
  const { errors, first_seen_us, last_seen_us, status, resolved_at_us } = row
  const counted = { errors, first_seen_us, last_seen_us }
  let standing: Standing = {
    status: status as AnalysisStatus,
    resolvedAtUs: resolved_at_us,
    episodes: parseEpisodes(row.episodes),
  }
  for (const { segmentId, group } of target.errors) {
    const atUs = neededCut(standing, group)
    if (atUs !== null) {
      splits.push({ segmentId, group, atUs })
      continue
    }
    standing = addOccurrences(standing, group)
    counted.errors += group.count
    counted.first_seen_us = Math.min(counted.first_seen_us, group.firstUs)
    counted.last_seen_us = Math.max(counted.last_seen_us, group.lastUs)
  }
  const changed = standing.status === status ? {} : { state_changed_at: nowMs, state_changed_by: null }
  rows.push({
    ...row,
    ...counted,
    ...episodeColumns(standing.episodes),
    ...changed,
    status: standing.status,
    resolved_at_us: standing.resolvedAtUs,
  })
  return splits
}

/** Kinds of errors beyond the limit are moved to the overflow of their environment, the rarest first. */
async function overflow(
  transaction: ControlTransaction,
  targets: Map<string, Target>,
  known: Map<string, AnalysisRow>,
  nowMs: number,
): Promise<void> {
  const missing = [...targets.values()].filter(({ id, key }) => !known.has(id) && !isOverflow(key))
  for (const projectId of new Set(missing.map((target) => target.projectId))) {
    const room = await roomForNew(transaction, projectId, nowMs)
    const ofProject = missing.filter((target) => target.projectId === projectId)
    ofProject.sort((a, b) => countOf(b) - countOf(a) || (a.id < b.id ? -1 : 1))
    for (const target of ofProject.slice(room.analyses)) {
      targets.delete(target.id)
      addTo(targets, { ...target, key: OVERFLOW_GROUP }, target.errors)
    }
  }
  const flooded = [...targets.values()].filter(({ key }) => isOverflow(key))
  for (const [id, row] of await existingRows(
    transaction,
    flooded.map(({ id }) => id),
  ))
    known.set(id, row)
  for (const projectId of new Set(flooded.map((target) => target.projectId))) {
    const unmade = flooded.filter((target) => target.projectId === projectId && !known.has(target.id))
    const room = await roomForNew(transaction, projectId, nowMs)
    // Environments are a stranger's words too. One that no record can have stands for all beyond the limit.
    for (const target of unmade.slice(room.overflows)) {
      targets.delete(target.id)
      addTo(targets, { ...target, environment: '' }, target.errors)
    }
  }
  const last = [...targets.values()].filter(({ key, environment }) => isOverflow(key) && environment === '')
  for (const [id, row] of await existingRows(
    transaction,
    last.map(({ id }) => id),
  ))
    known.set(id, row)
}

function addTo(
  targets: Map<string, Target>,
  { projectId, environment, key }: Pick<Target, 'projectId' | 'environment' | 'key'>,
  errors: readonly Errors[],
): void {
  const id = analysisId(projectId, environment, key)
  const target = targets.get(id)
  if (target) target.errors.push(...errors)
  else targets.set(id, { id, projectId, environment, key, errors: [...errors] })
}

/** A row that a merge left behind is not an analysis: without its rule the analysis starts over. */
async function existingRows(
  transaction: ControlTransaction,
  ids: readonly string[],
): Promise<Map<string, AnalysisRow>> {
  const rows = await readRows(transaction, ids)
  for (const [id, { merged_into }] of rows) if (merged_into !== null) rows.delete(id)
  return rows
}

function newRow(target: Target, nowMs: number): AnalysisRow {
  const { id, projectId, environment, key, errors } = target
  const firstUs = errors[0]?.group.firstUs ?? 0
  return {
    id,
    project_id: projectId,
    environment,
    fingerprint: key.fingerprint,
    split_value: key.splitValue,
    ...(isOverflow(key) ? OVERFLOW_FACE : faceOf(target)),
    status: 'open',
    first_seen_us: firstUs,
    last_seen_us: firstUs,
    errors: 0,
    ...episodeColumns([]),
    resolved_at_us: null,
    state_changed_at: null,
    state_changed_by: null,
    merged_into: null,
    created_at: nowMs,
  }
}

type Face = Pick<AnalysisRow, 'title' | 'type' | 'place' | 'service' | 'level' | 'grouping'>

const OVERFLOW_FACE: Face = {
  title: OVERFLOW_TITLE,
  type: '',
  place: '',
  service: '',
  level: 'error',
  grouping: OVERFLOW_GROUPING,
}

function faceOf(target: Target): Face {
  const { title, type, where, service, level, grouping } = describedGroup(target)
  return { title, type, place: where, service, level, grouping }
}

function sampleOf(target: Target) {
  const [first] = target.errors
  if (!isOverflow(target.key) || first === undefined) return describedGroup(target).sample
  const described = target.errors.find(({ group }) => group.sample.logId !== '')
  const { environmentDefaulted } = first.group.sample
  return (
    described?.group.sample ?? {
      logId: first.group.firstLogId,
      message: OVERFLOW_TITLE,
      error: null,
      environmentDefaulted,
    }
  )
}

/** The earliest group that says what its errors look like: those of known analyses need not (`ErrorGroup.sample`). */
function describedGroup({ id, errors }: Target): ErrorGroup {
  const described = errors.find(({ group }) => group.sample.logId !== '')
  if (described) return described.group
  throw new AppError('unavailable', `The analysis ${id} was removed while errors of it were counted. Count them again.`)
}

function countOf({ errors }: Target): number {
  return errors.reduce((sum, { group }) => sum + group.count, 0)
}

function isOverflow({ fingerprint }: Group): boolean {
  return fingerprint === OVERFLOW_FINGERPRINT
}
