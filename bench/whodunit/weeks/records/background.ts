/** What goes on whatever happens: requests that are served, and the errors that nobody is woken up for. */
import { arrivals } from '../../../../packages/demo/src/shop/arrivals.ts'
import type { ShopDeploy } from '../../../../packages/demo/src/shop/deploys.ts'
import { everydayErrors } from '../../../../packages/demo/src/shop/everyday-errors.ts'
import { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import { ordinaryScene } from '../../../../packages/demo/src/shop/scenes.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import { BUSIEST, dailyLoad, type Span } from '../../../../packages/demo/src/shop/traffic.ts'
import { FUNCTIONS } from '../code/functions.ts'
import { servedAt } from './failing.ts'
import { recordAt, type Scene } from './scene.ts'

/** Requests; one of the demo's scenes leaves two to four records. */
const PER_SECOND = 0.011
const STAGING_SHARE = 0.1
const DEMO_SHARE = 0.4
const MOST_TIMES = 5

type Backdrop = {
  seed: number
  surges: readonly (Span & { times: number })[]
  deploys: readonly ShopDeploy[]
  commit(sha: string): Commit
}

export function background(scene: Scene, { seed, surges, deploys, commit }: Backdrop): ShopRecord[] {
  const random = new Random(seed, 'background')
  const ground = { deploys, repository: { commit } }
  const span = { fromMs: scene.openedMs, toMs: scene.nowMs }
  const perSecond = (timeMs: number) => {
    const times = surges.find(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs)?.times ?? 1
    return PER_SECOND * dailyLoad(timeMs) * times
  }
  const peakPerSecond = PER_SECOND * BUSIEST * MOST_TIMES
  const served = [...arrivals(random, { ...span, peakPerSecond }, perSecond)].flatMap((timeMs) => {
    const environment = random.chance(STAGING_SHARE) ? 'staging' : 'production'
    if (random.chance(DEMO_SHARE))
      return ordinaryScene(ground, random, timeMs, environment).map((record) => settled(scene, random, record))
    const of = FUNCTIONS[random.below(FUNCTIONS.length)]
    return of ? servedAt(scene, random, [timeMs], { of, environment }) : []
  })
  const errors = everydayErrors(ground, random, span).map((record) => settled(scene, random, record))
  return [...served, ...errors, ...moreErrors(scene, random, span)]
}

/** A record of the demo's shop on a host of this one, with the release that runs there. */
function settled(scene: Scene, random: Random, record: ShopRecord): ShopRecord {
  const { timestamp, level, service, environment, message, logger, traceId, attributes } = record
  const timeMs = Math.min(Date.parse(timestamp), scene.nowMs)
  return recordAt(scene, random, { timeMs, level, service, environment, message, logger, traceId, attributes })
}

const TRICKLES = [
  ['payments', 'issuer declined the card', 0.5],
  ['checkout', 'the address could not be verified', 0.3],
  ['catalog', 'a supplier sent a picture that is none', 0.2],
] as const

function moreErrors(scene: Scene, random: Random, span: Span): ShopRecord[] {
  return TRICKLES.flatMap(([service, message, perHour]) =>
    [...arrivals(random, { ...span, peakPerSecond: perHour / 3_600 })].map((timeMs) =>
      recordAt(scene, random, { timeMs, level: 'error', service, environment: 'production', message }),
    ),
  )
}
