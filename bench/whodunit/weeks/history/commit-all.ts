import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import type { Span } from '../../../../packages/demo/src/shop/traffic.ts'
import type { Change } from './change.ts'
import { anybody } from './everyday-changes.ts'
import type { GitHistory } from './git-history.ts'

const BRANCH_SHARE = 0.4
const TOPICS = ['tidy', 'partners', 'limits', 'autumn', 'speed', 'labels', 'audit'] as const

/** Commits changes in their order over a span of time; some of them on a branch that is merged at the end of it. */
export function commitAll(
  history: GitHistory,
  random: Random,
  changes: readonly Change[],
  { fromMs, toMs }: Span,
): Map<Change, Commit> {
  const stepMs = (toMs - fromMs) / (changes.length + 1)
  const made = new Map<Change, Commit>()
  const branched = random.chance(BRANCH_SHARE) && changes.length > 3 ? random.below(changes.length - 2) : -1
  const length = random.between(1, 3)
  let side = null
  for (const [at, change] of changes.entries()) {
    const atMs = fromMs + stepMs * (at + 1)
    if (at === branched) side = history.branch()
    const isOnSide = side !== null && at < branched + length
    made.set(change, isOnSide && side ? history.onSide(side, change, atMs) : history.onMain(change, atMs))
    // One commit of the main line stands between the branch and its merge, where there is one.
    const isMerged = side !== null && (at === branched + length || at === changes.length - 1)
    if (side !== null && isMerged) {
      const message = `Merge branch '${random.pick(TOPICS)}-${random.hex(4)}'\n`
      history.merge(side, { author: anybody(random), message, atMs: atMs + stepMs / 2 })
      side = null
    }
  }
  return made
}
