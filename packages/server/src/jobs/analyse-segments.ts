/** From loaded segments to counted analyses: query the log store, describe what is new, count all of it once. */
import type { ErrorGroup } from '../control/analyses/place-errors.ts'
import type { ClaimedSegment } from '../control/analyses/queue.ts'
import type { SegmentErrors } from '../control/analyses/record.ts'
import { AppError } from '../errors.ts'
import type { ErrorCount } from '../logstore/log-store.ts'
import { type AnalysisParts, describeCounts } from './describe-counts.ts'
import { packInOrder } from './pack-in-order.ts'

/** `incomplete`: the store does not show all of their errors yet, so none of them was counted. */
type AnalysedSegments = { errors: number; incomplete: ClaimedSegment[] }

/** Groups that are counted in one transaction: other writers wait for its end. */
const GROUPS_AT_ONCE = 10_000
/** People may resolve an analysis while its errors are being cut, but not endlessly. */
const MAX_CUT_ROUNDS = 10
/** A replica may lag behind for a moment. What is still missing after this many attempts has been deleted. */
const ATTEMPTS_TO_BE_COMPLETE = 6

export async function analyseSegments(
  { control, logStore, sources, log }: AnalysisParts,
  claimed: readonly ClaimedSegment[],
  nowMs: number,
): Promise<AnalysedSegments> {
  const splits = await control.groupingRules.splits()
  const ask = async (segments: readonly ClaimedSegment[], cutsUs: readonly number[] = []) => {
    const questions = segments.map(({ segmentId, days }) => ({ id: segmentId, days }))
    return bySegment(segments, await logStore.errorsOfSegments({ segments: questions, splits, cutsUs }))
  }
  const counts = await ask(claimed)
  const incomplete = claimed.filter(
    ({ segmentId, errors, attempts }) =>
      errors !== null && attempts < ATTEMPTS_TO_BE_COMPLETE && total(counts.get(segmentId)) < errors,
  )
  const complete = claimed.filter((segment) => !incomplete.includes(segment))
  let errors = 0
  const groupsOf = ({ segmentId }: ClaimedSegment) => counts.get(segmentId)?.length ?? 0
  for (const part of packInOrder(complete, groupsOf, GROUPS_AT_ONCE)) {
    await record(part)
    for (const { segmentId } of part) errors += total(counts.get(segmentId))
  }
  return { errors, incomplete }

  async function record(segments: readonly ClaimedSegment[]): Promise<void> {
    const found = new Map(segments.map(({ segmentId }) => [segmentId, counts.get(segmentId) ?? []]))
    const cuts = new Map<string, Set<number>>()
    for (let round = 0; round < MAX_CUT_ROUNDS; round++) {
      const { splits: needed } = await control.analyses.record(await described(found), nowMs)
      if (needed.length === 0) return
      for (const { segmentId, atUs } of needed) cuts.set(segmentId, (cuts.get(segmentId) ?? new Set()).add(atUs))
      for (const segment of segments.filter(({ segmentId }) => needed.some((one) => one.segmentId === segmentId))) {
        const cut = await ask([segment], [...(cuts.get(segment.segmentId) ?? [])])
        found.set(segment.segmentId, cut.get(segment.segmentId) ?? [])
      }
    }
    throw new AppError('unavailable', 'Analyses kept being resolved while errors were counted. Count them again.')
  }

  async function described(found: ReadonlyMap<string, readonly ErrorCount[]>): Promise<SegmentErrors[]> {
    const groups = await describeCounts({ control, logStore, sources, log }, [...found.values()].flat())
    return [...found].map(([segmentId, ofSegment]) => ({
      segmentId,
      groups: ofSegment.map((count): ErrorGroup => groups(count)),
    }))
  }
}

function bySegment(segments: readonly ClaimedSegment[], counts: readonly ErrorCount[]): Map<string, ErrorCount[]> {
  const found = new Map<string, ErrorCount[]>(segments.map(({ segmentId }) => [segmentId, []]))
  for (const count of counts) found.get(count.segmentId)?.push(count)
  return found
}

function total(counts: readonly ErrorCount[] | undefined): number {
  return (counts ?? []).reduce((sum, { count }) => sum + count, 0)
}
