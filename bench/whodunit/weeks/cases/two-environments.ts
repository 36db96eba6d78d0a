import { HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { breakCode, guilty, untilEnd } from './broken-code.ts'
import { someFail, someRates, type Teller } from './case.ts'
import { bothEnvironments } from './outside.ts'

/** Broken in staging, where nobody looked, and hours later in production. */
const stagingFirst: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, nth === 1 ? 'caller' : 'line')
  const { deploy: staged, guilty: commit } = story.ship({
    atMs: story.at(0.08),
    innocent: random.between(2, 6),
    guilty: broken.change,
    runsIn: 'staging',
    staging: false,
  })
  const deploy = story.redeploy(staged.body.sha, { atMs: staged.atMs + (1.2 + random.next()) * HOUR_MS })
  const span = untilEnd(story, broken, { deploy, fromMs: deploy.atMs + random.between(30, 400) * 1_000 })
  const inStaging = { fromMs: staged.atMs + random.between(2, 30) * MINUTE_MS, toMs: span.toMs }
  const because = 'The release was broken in staging already.'
  const shared = { kind: 'two-environments', title: `${of.name} fails everywhere`, of } as const
  return [
    {
      ...shared,
      environment: 'staging',
      cause: guilty(staged, commit, broken, because),
      records: someFail({ ...broken.failure, environment: 'staging' }, inStaging, { perMinute: 0.12, okPerHour: 2 }),
    },
    {
      ...shared,
      environment: 'production',
      cause: guilty(deploy, commit, broken, because),
      records: someFail({ ...broken.failure, environment: 'production' }, span, someRates(story)),
    },
  ]
}

export const twoEnvironments: Teller = (story, nth) =>
  nth % 2 === 0 ? stagingFirst(story, nth) : bothEnvironments(story, (nth - 1) / 2)
