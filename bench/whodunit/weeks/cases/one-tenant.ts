import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { NOTHING_GIVEN } from '../code/faults.ts'
import { COUNTRIES, TENANTS } from '../records/scene.ts'
import { traceIn } from '../records/traces.ts'
import { breakCode, guilty, untilEnd } from './broken-code.ts'
import { failedMessage, innocentBefore, noDeploy, someFail, someRates, type Teller } from './case.ts'

/** One tenant, or one country, sends what the old code cannot take. Everybody else is served. */
const badData: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const fromMs = story.at(0.5)
  innocentBefore(story, fromMs, of)
  const whose = nth % 2 === 0 ? { tenant: random.pick(TENANTS) } : { country: random.pick(COUNTRIES) }
  const { type, message } = NOTHING_GIVEN[of.language]
  const failure = {
    of,
    environment: 'production',
    message: failedMessage(of),
    trace: traceIn(of, { type, message, line: 'label' }),
    ...whose,
  }
  const span = { fromMs, toMs: fromMs + random.between(30, 150) * MINUTE_MS }
  return [
    {
      kind: 'one-tenant',
      title: `${of.name} fails for ${Object.values(whose)[0]}`,
      of,
      environment: 'production',
      cause: noDeploy(['data'], `Only ${Object.values(whose)[0]} sends requests without a subject.`),
      records: someFail(failure, span, { perMinute: 0.3 + random.next(), okPerHour: random.between(12, 25) }),
    },
  ]
}

/** Only one tenant uses what the deploy broke, and not at once. */
const brokenForOne: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, 'line')
  const { deploy, guilty: commit } = story.ship({ atMs: story.at(0.15), guilty: broken.change })
  const fromMs = deploy.atMs + random.between(4, nth === 2 ? 20 : 150) * MINUTE_MS
  const span = untilEnd(story, broken, { deploy, fromMs })
  const tenant = random.pick(TENANTS)
  return [
    {
      kind: 'one-tenant',
      title: `${of.name} fails for ${tenant} since a deploy`,
      of,
      environment: 'production',
      cause: guilty(deploy, commit, broken, `The deploy broke what only ${tenant} uses.`),
      records: someFail({ ...broken.failure, environment: 'production', tenant }, span, someRates(story)),
    },
  ]
}

export const oneTenant: Teller = (story, nth) => (nth % 3 === 2 ? brokenForOne(story, nth) : badData(story, nth))
