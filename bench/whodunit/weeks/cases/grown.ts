/** Errors that were there all the time and become many. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { NOTHING_GIVEN } from '../code/faults.ts'
import { hasBrokenCall } from '../history/faulty-changes.ts'
import { failuresAt, timesIn } from '../records/failing.ts'
import { traceIn } from '../records/traces.ts'
import type { Story } from '../story.ts'
import { breakCode, guilty, untilEnd } from './broken-code.ts'
import { failedMessage, innocentBefore, noDeploy, someFail, someRates, type Teller } from './case.ts'
import { outsideFailure } from './outside.ts'

/** For days a request now and then has no subject. Then a deploy makes its caller leave the subject out. */
export const growth: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, 'caller')
  const trickle = trickleBefore(story)
  const { deploy, guilty: commit } = story.ship({
    atMs: story.at(0.3),
    innocent: random.between(2, 6),
    guilty: broken.change,
    near: nth === 1 ? of : undefined,
  })
  const span = untilEnd(story, broken, { deploy, fromMs: deploy.atMs + random.between(30, 600) * 1_000 })
  const { type, message } = NOTHING_GIVEN[of.language]
  const failure = {
    of,
    environment: 'production',
    message: failedMessage(of),
    trace: traceIn(of, { type, message, line: 'label' }),
  }
  const many = someFail({ ...failure, fails: ({ files }) => hasBrokenCall(files, of) }, span, {
    ...someRates(story),
    perMinute: (trickle.perHour / 60) * random.between(10, 25),
  })
  return [
    {
      kind: 'growth',
      title: `${of.name} fails far more often`,
      of,
      environment: 'production',
      cause: guilty(deploy, commit, broken, 'The error is older; the deploy made it many times as many.'),
      grewMs: span.fromMs,
      records: (scene, dice) => [
        ...many(scene, dice),
        ...failuresAt(scene, dice, timesIn(dice, { ...trickle, toMs: scene.nowMs }, trickle.perHour / 60), failure),
      ],
    },
  ]
}

/** Timeouts that grow because everybody comes at once. */
export const load: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const trickle = trickleBefore(story)
  const fromMs = story.at(0.55)
  if (nth > 0) innocentBefore(story, fromMs, of)
  const surge = { fromMs, toMs: fromMs + random.between(45, 130) * MINUTE_MS, times: 5 }
  story.surges.push(surge)
  const failure = { ...outsideFailure(of, 'timeout', 'stock-db.internal:5432'), environment: 'production' }
  const span = { fromMs: fromMs + random.between(20, 200) * 1_000, toMs: surge.toMs }
  const perMinute = (trickle.perHour / 60) * random.between(15, 40)
  const many = someFail(failure, span, { perMinute, okPerHour: random.between(8, 16) })
  return [
    {
      kind: 'load',
      title: `${of.name} times out under load`,
      of,
      environment: 'production',
      cause: noDeploy(['load'], 'For an hour or two there was five times the traffic.'),
      grewMs: span.fromMs,
      records: (scene, dice) => [
        ...many(scene, dice),
        ...failuresAt(scene, dice, timesIn(dice, { ...trickle, toMs: scene.nowMs }, trickle.perHour / 60), failure),
      ],
    },
  ]
}

/** Since some days before the slot, and never since more than a week: the first of them is of this episode. */
function trickleBefore({ random, slot, openedMs }: Story): { fromMs: number; perHour: number } {
  const days = 2 + random.next() * 3
  return {
    fromMs: Math.max(openedMs + HOUR_MS, slot.fromMs - days * DAY_MS),
    perHour: 0.4 + random.next() * 0.6,
  }
}
