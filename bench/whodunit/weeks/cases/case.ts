/** What a case is, and the parts that many of them share. */

import type { ShopDeploy } from '../../../../packages/demo/src/shop/deploys.ts'
import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import type { Span } from '../../../../packages/demo/src/shop/traffic.ts'
import type { CauseKind } from '../../../../packages/wire/src/analyses/cause.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import type { CaseKind } from '../answers.ts'
import type { ShopFunction } from '../code/functions.ts'
import { type Failure, failuresAt, servedAt, timesIn } from '../records/failing.ts'
import type { Scene } from '../records/scene.ts'
import type { Story } from '../story.ts'

export type Case = {
  kind: CaseKind
  title: string
  of: ShopFunction
  environment: string
  cause: Cause
  /** From when on an error that was always there is an incident. */
  grewMs?: number
  records(scene: Scene, random: Random): ShopRecord[]
}

export type Cause = {
  /** More than one where several are honestly right. */
  kinds: readonly [CauseKind, ...CauseKind[]]
  deploy: ShopDeploy | null
  commit: Commit | null
  file: string | null
  because: string
}

/** Tells its part of the story and says what there is to find out. `nth` counts the cases of one kind from 0. */
export type Teller = (story: Story, nth: number) => Case[]

const SEEN_BEFORE_MS = 20 * HOUR_MS
const SEEN_AFTER_MS = 5 * HOUR_MS
/** Of one case: one that goes on for a day has fewer an hour, and all of them can still be loaded. */
const MOST_ERRORS = 400

/** Requests that fail at a rate within a span, among others on the same way that do not, before and after it, too. */
export function someFail(
  failure: Failure,
  span: Span,
  { perMinute, okPerHour }: { perMinute: number; okPerHour: number },
) {
  return (scene: Scene, random: Random): ShopRecord[] => {
    const most = MOST_ERRORS / ((span.toMs - span.fromMs) / MINUTE_MS)
    const around = { fromMs: span.fromMs - SEEN_BEFORE_MS, toMs: span.toMs + SEEN_AFTER_MS }
    return [
      ...servedAt(scene, random, timesIn(random, around, okPerHour / 60), failure),
      ...failuresAt(scene, random, timesIn(random, span, Math.min(perMinute, most)), failure),
    ]
  }
}

/** Errors a minute, and requests an hour on the same way that go well. */
export function someRates({ random }: Story): { perMinute: number; okPerHour: number } {
  const perMinute = 0.25 + random.next() ** 2 * 2.5
  return { perMinute, okPerHour: random.between(4, 16) }
}

/** An innocent deploy before something that comes from elsewhere: mostly a short time before, as it so often is. */
export function innocentBefore(story: Story, onsetMs: number, of: ShopFunction): void {
  const { random } = story
  const chosen = random.next()
  if (chosen < 0.1) return
  const minutes =
    chosen < 0.55 ? random.between(3, 15) : chosen < 0.8 ? random.between(20, 90) : random.between(100, 200)
  const near = random.chance(0.25) ? of : undefined
  story.ship({ atMs: onsetMs - minutes * MINUTE_MS - random.below(50_000), near })
}

export function failedMessage(of: ShopFunction): string {
  return of.job === null ? `${of.method} ${of.route} failed` : `${of.job} failed`
}

export function noDeploy(kinds: Cause['kinds'], because: string): Cause {
  return { kinds, deploy: null, commit: null, file: null, because }
}
