import { SERVICES } from '../../../../packages/demo/src/shop/services.ts'
import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { breakCode, guilty, untilEnd } from './broken-code.ts'
import { someFail, someRates, type Teller } from './case.ts'

/** A second deploy minutes after the bad one, with commits of other services only; mostly the errors begin after both. */
export const twoDeploys: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, nth === 2 ? 'caller' : 'line')
  const { deploy, guilty: commit } = story.ship({
    atMs: story.at(0.2),
    innocent: random.between(2, 5),
    guilty: broken.change,
    staging: false,
  })
  const others = SERVICES.filter((service) => service !== of.service)
  const secondMs = deploy.atMs + random.between(3, 10) * MINUTE_MS
  const second = story.ship({ atMs: secondMs, innocent: random.between(1, 4), services: others, staging: false })
  const seenMs = nth === 3 ? deploy.atMs + 70_000 : second.deploy.atMs + random.between(20, 400) * 1_000
  const span = untilEnd(story, broken, { deploy: second.deploy, fromMs: seenMs })
  return [
    {
      kind: 'two-deploys',
      title: `${of.name} fails after two deploys`,
      of,
      environment: 'production',
      cause: guilty(deploy, commit, broken, 'Of two deploys within minutes the first broke it.'),
      records: someFail({ ...broken.failure, environment: 'production' }, span, someRates(story)),
    },
  ]
}
