/** An error of the first day, mended and forgotten, comes back in staging when somebody deploys the old release there. */

import type { ShopDeploy } from '../../../../packages/demo/src/shop/deploys.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import type { Story } from '../story.ts'
import { type Broken, breakCode } from './broken-code.ts'
import { type Case, someFail } from './case.ts'

export type OldRelease = { broken: Broken; deploy: ShopDeploy; mendedMs: number }

/** On the first day. */
export function beginOldRelease(story: Story): OldRelease {
  const of = story.take()
  const broken = breakCode(story, of, 'line')
  const { deploy } = story.ship({ atMs: story.at(0.1), guilty: broken.change, staging: true })
  const mendedMs = story.at(0.8)
  story.later(broken.mend)
  story.ship({ atMs: mendedMs, staging: true })
  return { broken, deploy, mendedMs }
}

/** More than a quiet week later. */
export function oldReleaseAgain(story: Story, old: OldRelease | undefined): Case[] {
  if (!old) throw new Error('There is no old release.')
  const { broken, mendedMs } = old
  const { of } = broken
  const atMs = story.at(0.3)
  if (atMs - mendedMs < 8 * DAY_MS) throw new Error('The old release came back too soon.')
  const words = 'The old release, to show it to a customer'
  const deploy = story.redeploy(old.deploy.body.sha, { atMs, environment: 'staging', message: words })
  const span = { fromMs: deploy.atMs + story.random.between(60, 900) * 1_000, toMs: story.at(0.8) }
  const current = story.running('production', span.toMs)
  if (current) story.redeploy(current.body.sha, { atMs: span.toMs, environment: 'staging' })
  const failure = { ...broken.failure, environment: 'staging' }
  const again = someFail(failure, { ...span, toMs: span.toMs + 5 * MINUTE_MS }, { perMinute: 0.15, okPerHour: 2 })
  const first = { fromMs: old.deploy.atMs, toMs: mendedMs + HOUR_MS }
  const once = someFail(failure, first, { perMinute: 0.1, okPerHour: 2 })
  const because = 'A release from before the fix was deployed again.'
  return [
    {
      kind: 'rollback',
      title: `${of.name} fails in staging again`,
      of,
      environment: 'staging',
      cause: { kinds: ['deploy', 'commit'], deploy, commit: null, file: null, because },
      records: (scene, dice) => [...once(scene, dice), ...again(scene, dice)],
    },
  ]
}
