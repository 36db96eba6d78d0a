/** How errors ended: with a deploy, without one, or not yet. */
import { MINUTE_US } from '@tidemark/wire/time/units'
import type { Deploy } from '../../model/deploy.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { End } from './cause-facts.ts'
import type { Course } from './error-course.ts'

/** The last errors of a deploy may come while its successor is being rolled out. */
const ROLL_OUT_US = 10 * MINUTE_US
/** And the first errors after a quiet path was last used. */
const LEAST_AFTER_US = 5 * MINUTE_US

export type EndFacts = { deploy: Deploy; isRollback: boolean } | null

export function endOf(course: Course, ended: EndFacts, wellAfter: number | null): End {
  if (!course.isOver) return { kind: 'going' }
  return ended === null ? { kind: 'alone', wellAfter } : { kind: 'deploy', ...ended }
}

/** The first deploy in this time is the one with which the errors ended. Null while they go on. */
export function timeOfEnd({ isOver, onsetUs, untilUs, count }: Course, nowUs: number): TimeRange | null {
  if (!isOver) return null
  const gapUs = (untilUs - onsetUs) / Math.max(1, count)
  return {
    fromUs: Math.max(onsetUs + 1, untilUs - ROLL_OUT_US),
    toUs: Math.min(nowUs, untilUs + Math.max(LEAST_AFTER_US, 3 * gapUs)),
  }
}

/** Whether a deploy is that first one; `before` is the one before it, of its environment and in the order of deploys. */
export function endedWith(course: Course, deploy: Deploy, before: Deploy | null, nowUs: number): boolean {
  const around = timeOfEnd(course, nowUs)
  const isInside = ({ deployedAtUs }: Deploy) =>
    around !== null && deployedAtUs >= around.fromUs && deployedAtUs < around.toUs
  return isInside(deploy) && (before === null || !isInside(before))
}
