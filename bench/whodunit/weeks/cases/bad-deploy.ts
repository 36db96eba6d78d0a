import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { breakCode, guilty, type Manner, untilEnd } from './broken-code.ts'
import { someFail, someRates, type Teller } from './case.ts'

const MANNERS: readonly Manner[] = ['line', 'line', 'caller', 'line', 'silent', 'line', 'caller', 'line']

/** Errors within minutes of a deploy that brought one bad commit among several good ones. */
export const badDeploy: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, MANNERS[nth % MANNERS.length] ?? 'line')
  // One of them is recorded when its rollout ends: then the first errors are older than the deploy.
  const recorded = nth === 3 ? 'last' : 'first'
  const { deploy, guilty: commit } = story.ship({
    atMs: story.at(0.15 + random.next() * 0.15),
    innocent: random.between(3, 8),
    guilty: broken.change,
    near: random.chance(0.4) ? of : undefined,
    recorded,
  })
  const fromMs = deploy.atMs + (recorded === 'last' ? -20_000 : random.between(15, 500) * 1_000)
  const span = untilEnd(story, broken, { deploy, fromMs: Math.max(fromMs, deploy.atMs - MINUTE_MS) })
  return [
    {
      kind: 'bad-deploy',
      title: `${of.name} fails since a deploy`,
      of,
      environment: 'production',
      cause: guilty(deploy, commit, broken, `The deploy brought a change to ${of.name} that cannot work.`),
      records: someFail({ ...broken.failure, environment: 'production' }, span, someRates(story)),
    },
  ]
}
