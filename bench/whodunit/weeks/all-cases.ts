/** All cases of these weeks in the order in which they happen, and how much of the time each has. */
import { HOUR_MS } from '../../../packages/wire/src/time/units.ts'
import type { CaseKind } from './answers.ts'
import { badDeploy } from './cases/bad-deploy.ts'
import type { Case, Teller } from './cases/case.ts'
import { configuration } from './cases/configuration.ts'
import { dependencyBump } from './cases/dependency-bump.ts'
import { diskFull } from './cases/disk-full.ts'
import { growth, load } from './cases/grown.ts'
import { leak } from './cases/leak.ts'
import { beginOldRelease, type OldRelease, oldReleaseAgain } from './cases/old-release.ts'
import { oneTenant } from './cases/one-tenant.ts'
import { certificate, credentials, outage } from './cases/outside.ts'
import { rarePath } from './cases/rare-path.ts'
import { failedDeploy, otherSpelling, rollback } from './cases/told-by-deploys.ts'
import { twoDeploys } from './cases/two-deploys.ts'
import { twoEnvironments } from './cases/two-environments.ts'
import type { Story } from './story.ts'

/** `weight`: how many ordinary ones it lasts as long as. `needsPast`: it is about what was before. */
type Plan = { tell: Teller; count: number; weight: number; needsPast?: boolean }

/** Bad deploys at the end of the time, which are still going on. */
const GOING_ON = 2

const PLANS: Record<CaseKind, Plan> = {
  'bad-deploy': { tell: badDeploy, count: 8, weight: 1 },
  'rare-path': { tell: rarePath, count: 5, weight: 2, needsPast: true },
  'two-deploys': { tell: twoDeploys, count: 4, weight: 1 },
  'dependency-bump': { tell: dependencyBump, count: 4, weight: 1 },
  configuration: { tell: configuration, count: 6, weight: 1 },
  outage: { tell: outage, count: 8, weight: 1 },
  certificate: { tell: certificate, count: 3, weight: 1 },
  'disk-full': { tell: diskFull, count: 3, weight: 1 },
  leak: { tell: leak, count: 4, weight: 3 },
  credentials: { tell: credentials, count: 3, weight: 1 },
  'other-spelling': { tell: otherSpelling, count: 3, weight: 1 },
  rollback: { tell: rollback, count: 2, weight: 1 },
  'failed-deploy': { tell: failedDeploy, count: 3, weight: 1 },
  growth: { tell: growth, count: 3, weight: 1, needsPast: true },
  load: { tell: load, count: 3, weight: 1, needsPast: true },
  'two-environments': { tell: twoEnvironments, count: 4, weight: 1 },
  'one-tenant': { tell: oneTenant, count: 6, weight: 1 },
}

/** Slots without a past of their own. */
const FIRST_SLOTS = 14
/** The last slot ends some time before now, so that what it ends with can be seen to have ended. */
const REST_MS = 3 * HOUR_MS

export function tellAll(story: Story): Case[] {
  const slots = slotsOf(story)
  const unitMs = (story.nowMs - REST_MS - story.openedMs) / slots.reduce((sum, { weight }) => sum + weight, 0)
  let fromMs = story.openedMs
  return slots.flatMap(({ weight, tell }) => {
    story.slot = { fromMs, toMs: fromMs + weight * unitMs }
    fromMs = story.slot.toMs
    return tell(story)
  })
}

type Slot = { weight: number; needsPast: boolean; tell(story: Story): Case[] }

/** How much of the time is over when the release of the first day comes back. */
const OLD_RELEASE_AT = 0.7

function slotsOf(story: Story): Slot[] {
  const slots = Object.entries(PLANS).flatMap(([kind, { tell, count, weight, needsPast = false }]) =>
    Array.from({ length: count }, (_, nth) => ({ kind, weight, needsPast, tell: (to: Story) => tell(to, nth) })),
  )
  const last = slots.filter(({ kind }) => kind === 'bad-deploy').slice(-GOING_ON)
  let old: OldRelease | undefined
  const begin = {
    weight: 1,
    needsPast: false,
    tell: (to: Story) => {
      old = beginOldRelease(to)
      return []
    },
  }
  const again = { weight: 1, needsPast: true, tell: (to: Story) => oldReleaseAgain(to, old) }
  const shuffled = story.shuffled(slots.filter((slot) => !last.includes(slot)))
  const early = shuffled.filter(({ needsPast }) => !needsPast).slice(0, FIRST_SLOTS)
  const ordered: Slot[] = [...early, ...shuffled.filter((slot) => !early.includes(slot))]
  ordered.splice(Math.floor(ordered.length * OLD_RELEASE_AT), 0, again)
  return [begin, ...ordered, ...last]
}
