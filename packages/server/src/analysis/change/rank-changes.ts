/** The order in which changes are listed: by their kind and time, and around an analysis by what explains it. */
import type { LikelyCause } from '@tidemark/wire/analyses/cause'
import type { RankedCause } from '../cause/likely-cause.ts'
import { type Change, changeOf } from './change.ts'
import { CAUSE_SCORES, closeness, HALF_SCORE_DOUBLINGS, KIND_WEIGHTS } from './change-weights.ts'

export type RankedChange = Change & { score: number; role: 'cause' | 'rival' | null }

/** The best first; of two with the same score the later one, then by title, so that the order never depends on luck. */
export function rankChanges(changes: readonly Change[], momentUs: number): RankedChange[] {
  return changes.map((change) => ({ ...change, role: null, score: rounded(scoreOf(change, momentUs)) })).sort(byScore)
}

function scoreOf({ kind, atUs, strength, isTimely }: Change, momentUs: number): number {
  return KIND_WEIGHTS[kind] * strength * (isTimely ? 1 : closeness(momentUs - atUs))
}

/**
 * What was weighed as the cause keeps its order and comes first; all else is listed below it. A cause that is among the
 * changes too is listed once, with the ids of the change.
 */
export function rankAroundCause(
  { weighed, likelyCause, environment, onsetUs }: Causes,
  changes: readonly Change[],
): RankedChange[] {
  const top = CAUSE_SCORES[likelyCause.kind === 'unknown' ? 'unknown' : likelyCause.confidence]
  const heaviest = weighed[0]?.score ?? 0
  const told = new Set<Change>()
  const causes = weighed.map((cause): RankedChange => {
    const known = changes.find((change) => isSame(cause, change))
    if (known !== undefined) told.add(known)
    const { kind, title, deployId, sha, atUs } = cause
    return {
      ...changeOf({
        environment,
        ...known,
        kind,
        title,
        deployId,
        sha,
        strength: 1,
        atUs: atUs ?? onsetUs,
        reason: '',
      }),
      reason: cause.isAnswer
        ? `${likelyCause.confidence === 'low' ? 'A possible' : 'The likely'} cause, with ${likelyCause.confidence} confidence: ${cause.reason}`
        : `Weighed as the cause, and not the answer: ${cause.reason}`,
      role: cause.isAnswer ? 'cause' : 'rival',
      score: rounded(top * 2 ** ((cause.score - heaviest) / HALF_SCORE_DOUBLINGS)),
    }
  })
  const lowest = causes.at(-1)?.score ?? 1
  const rest = rankChanges(
    changes.filter((change) => !told.has(change) && change.atUs <= onsetUs),
    onsetUs,
  )
  return [...causes, ...rest.map((one) => ({ ...one, score: rounded(one.score * lowest) }))]
}

export type Causes = {
  weighed: readonly RankedCause[]
  likelyCause: Pick<LikelyCause, 'kind' | 'confidence'>
  environment: string
  onsetUs: number
}

function isSame(cause: RankedCause, change: Change): boolean {
  if (cause.deployId !== null || change.deployId !== null) return cause.deployId === change.deployId
  if (cause.kind !== change.kind) return false
  return cause.kind === 'commit' ? cause.sha === change.sha : cause.title === change.title
}

function byScore(one: RankedChange, other: RankedChange): number {
  return other.score - one.score || other.atUs - one.atUs || (one.title < other.title ? -1 : 1)
}

function rounded(score: number): number {
  return Math.round(score * 1_000) / 1_000
}
