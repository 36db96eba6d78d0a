/** A mistake in one function: the commit that makes it, the code that has it, the errors that come of it, and its end. */

import type { ShopDeploy } from '../../../../packages/demo/src/shop/deploys.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import type { Span } from '../../../../packages/demo/src/shop/traffic.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { FAULTS, NOTHING_GIVEN } from '../code/faults.ts'
import { pathIn, type ShopFunction } from '../code/functions.ts'
import type { Change } from '../history/change.ts'
import { alongside } from '../history/everyday-changes.ts'
import {
  breakCall,
  breakLimit,
  hasBrokenCall,
  hasBrokenLimit,
  mendCall,
  mendLimit,
  revertOf,
} from '../history/faulty-changes.ts'
import type { Failure } from '../records/failing.ts'
import { traceIn } from '../records/traces.ts'
import type { Story } from '../story.ts'
import { type Cause, failedMessage } from './case.ts'

/** `line`: where it is thrown. `caller`: one frame further out. `silent`: there is no stack. */
export type Manner = 'line' | 'caller' | 'silent'

/** Bad commits that do other things as well. */
const MANY_FILES_SHARE = 0.35

export type Broken = {
  of: ShopFunction
  change: Change
  mend: Change
  failure: Omit<Failure, 'environment'>
  file(commit: Commit): string
}

export function breakCode(story: Story, of: ShopFunction, manner: Manner): Broken {
  const { random } = story
  const broken = brokenIn(story, of, manner)
  if (!random.chance(MANY_FILES_SHARE)) return broken
  return { ...broken, change: alongside(random, broken.change, of.service) }
}

function brokenIn({ random }: Story, of: ShopFunction, manner: Manner): Broken {
  const message = failedMessage(of)
  if (manner === 'caller') {
    const { type, message: said } = NOTHING_GIVEN[of.language]
    return {
      of,
      change: breakCall(random, of),
      mend: mendCall(random, of),
      file: () => of.callerPath,
      failure: {
        of,
        message,
        trace: traceIn(of, { type, message: said, line: 'label' }),
        fails: ({ files }) => hasBrokenCall(files, of),
      },
    }
  }
  const fault = random.pick(FAULTS[of.language])
  const said = fault.message(of)
  return {
    of,
    change: breakLimit(random, of, fault),
    mend: mendLimit(random, of),
    file: ({ files }) => pathIn(files, of),
    failure: {
      of,
      fails: ({ files }) => hasBrokenLimit(files, of, fault),
      ...(manner === 'silent'
        ? { message: `${message}: ${said}` }
        : { message, trace: traceIn(of, { type: fault.type, message: said, line: 'limit' }) }),
    },
  }
}

export function guilty(deploy: ShopDeploy, commit: Commit | null, { file }: Broken, because: string): Cause {
  return { kinds: ['deploy', 'commit'], deploy, commit, file: commit && file(commit), because }
}

/** A deploy that mends it, one of the sha before, or nothing yet. Returns the time in which it was there. */
export function untilEnd(
  story: Story,
  broken: Broken,
  { deploy, fromMs }: { deploy: ShopDeploy; fromMs: number },
): Span {
  const { random } = story
  const isLast = story.slot.toMs > story.nowMs - 20 * HOUR_MS
  if (isLast) return { fromMs, toMs: story.nowMs }
  const leastMs = Math.max(fromMs, deploy.atMs) + random.between(12, 40) * MINUTE_MS
  const toMs = Math.min(leastMs + random.next() * 2.5 * HOUR_MS, Math.max(leastMs, story.at(0.9)))
  const before = story.running('production', deploy.atMs - 1)
  if (before && random.chance(0.4)) {
    rollBack(story, broken, { to: before.body.sha, atMs: toMs })
  } else {
    story.later(broken.mend)
    story.ship({ atMs: toMs, innocent: random.between(0, 3) })
  }
  return { fromMs, toMs: toMs + 5 * MINUTE_MS }
}

function rollBack(story: Story, { change, mend }: Broken, { to, atMs }: { to: string; atMs: number }): void {
  story.redeploy(to, { atMs, message: `Roll back to ${to.slice(0, 7)}` })
  story.later(revertOf(change, mend))
}
