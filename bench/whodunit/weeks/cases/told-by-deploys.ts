/** Cases in which the deploy to blame is not the one that stands right before the errors, or not under that name. */
import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import type { Story } from '../story.ts'
import { type Broken, breakCode, guilty, untilEnd } from './broken-code.ts'
import { type Case, someFail, someRates, type Teller } from './case.ts'

const SPELLINGS = ['prod', 'prod', 'Production'] as const

/** Deployed by a script that has another name for production than the logs. */
export const otherSpelling: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, nth === 1 ? 'caller' : 'line')
  const { deploy, guilty: commit } = story.ship({
    atMs: story.at(0.25),
    innocent: random.between(2, 6),
    guilty: broken.change,
    environment: SPELLINGS[nth % SPELLINGS.length] ?? 'prod',
    staging: false,
  })
  const span = untilEnd(story, broken, { deploy, fromMs: deploy.atMs + random.between(20, 400) * 1_000 })
  const cause = guilty(deploy, commit, broken, 'The deploy was recorded under another name of the environment.')
  return [inProduction('other-spelling', story, broken, span, cause)]
}

/** The bad deploy is an hour old when its code is first used; one that failed, and never ran, is minutes old. */
export const failedDeploy: Teller = (story, nth) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, nth === 2 ? 'silent' : 'line')
  const { deploy, guilty: commit } = story.ship({ atMs: story.at(0.1), guilty: broken.change })
  const fromMs = deploy.atMs + random.between(40, 110) * MINUTE_MS
  const failed = story.ship({ atMs: fromMs - random.between(2, 12) * MINUTE_MS, status: 'failed', staging: false })
  const span = untilEnd(story, broken, { deploy: failed.deploy, fromMs })
  const cause = guilty(deploy, commit, broken, 'The deploy before the failed one broke it; the failed one never ran.')
  return [inProduction('failed-deploy', story, broken, span, cause)]
}

/** Broken, mended, and broken again by going back to the broken release for another reason. */
export const rollback: Teller = (story) => {
  const { random } = story
  const of = story.take()
  const broken = breakCode(story, of, 'line')
  const { deploy, guilty: commit } = story.ship({ atMs: story.at(0.1), guilty: broken.change })
  const fromMs = deploy.atMs + random.between(30, 400) * 1_000
  story.later(broken.mend)
  const mended = story.ship({ atMs: story.at(0.25), innocent: random.between(0, 3) })
  story.ship({ atMs: story.at(0.45) })
  const { sha } = deploy.body
  story.redeploy(sha, { atMs: story.at(0.6), message: `Roll back to ${sha.slice(0, 7)}` })
  const againMs = story.at(0.6 + 0.2 * random.next() + 0.1)
  story.redeploy(mended.deploy.body.sha, { atMs: againMs })
  const span = { fromMs, toMs: againMs + 5 * MINUTE_MS }
  const cause = guilty(deploy, commit, broken, 'The release was broken; going back to it broke it again.')
  return [inProduction('rollback', story, broken, span, cause)]
}

function inProduction(
  kind: Case['kind'],
  story: Story,
  broken: Broken,
  span: { fromMs: number; toMs: number },
  cause: Case['cause'],
): Case {
  return {
    kind,
    title: `${broken.of.name} fails`,
    of: broken.of,
    environment: 'production',
    cause,
    records: someFail({ ...broken.failure, environment: 'production' }, span, someRates(story)),
  }
}
