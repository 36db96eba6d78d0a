/** The shop while the demo runs: ordinary traffic, then a deploy, then its errors. Asked span by span. */
import { causeOf, nameOf } from './answer-of.ts'
import type { Answer } from './answers.ts'
import { arrivals } from './arrivals.ts'
import { liveDeploy, type ShopDeploy } from './deploys.ts'
import { emptySets, failedDiscount } from './incidents/empty-sets.ts'
import { failedCheckout } from './incidents/guest-currency.ts'
import { Random } from './random.ts'
import { newRequest } from './request.ts'
import type { ShopRecord } from './shop-record.ts'
import { liveTraffic, type Span } from './traffic.ts'
import type { World } from './world.ts'

/** When the errors begin after the start, and how long before them the deploy happens. */
export const LIVE_ERRORS_AFTER_MS = 120_000
const ERRORS_AFTER_DEPLOY_MS = 20_000
const ERRORS_PER_SECOND = 0.4
/** The bad deploy that was under way when the demo began still is. */
const OLD_ERRORS_PER_SECOND = 2.2 / 60

export class LiveShop {
  readonly deploy: ShopDeploy
  readonly answer: Answer
  readonly #world: World
  readonly #errorsFromMs: number
  readonly #random: Random

  /** `startMs` is when the demo first ran: a later run continues with the deploy that was made then. */
  constructor(world: World, startMs: number) {
    this.#errorsFromMs = startMs + LIVE_ERRORS_AFTER_MS
    this.deploy = liveDeploy(world.repository, wholeSecond(this.#errorsFromMs - ERRORS_AFTER_DEPLOY_MS))
    this.#world = { ...world, deploys: [...world.deploys, this.deploy] }
    this.#random = new Random(world.seed, `live ${startMs}`)
    this.answer = answerOfLive(this.#world, this.deploy, this.#errorsFromMs)
  }

  recordsOf({ fromMs, toMs }: Span): ShopRecord[] {
    const times = (sinceMs: number, peakPerSecond: number) => [
      ...arrivals(this.#random, { fromMs: Math.max(fromMs, sinceMs), toMs, peakPerSecond }),
    ]
    return [
      ...liveTraffic(this.#world, this.#random, { fromMs, toMs }),
      ...times(fromMs, OLD_ERRORS_PER_SECOND).flatMap((timeMs) =>
        failedCheckout(newRequest(this.#world, this.#random, timeMs), timeMs),
      ),
      ...times(this.#errorsFromMs, ERRORS_PER_SECOND).flatMap((timeMs) =>
        failedDiscount(this.#world, this.#random, timeMs),
      ),
    ]
  }
}

function answerOfLive(world: World, deploy: ShopDeploy, errorsFromMs: number): Answer {
  const { name, kind, title, environment, service } = emptySets
  return {
    incident: name,
    kind,
    title,
    environment,
    service,
    firstErrorAt: new Date(errorsFromMs).toISOString(),
    lastErrorAt: null,
    error: { type: 'ZeroDivisionError', message: 'division by zero' },
    correlatedDeploy: nameOf(deploy),
    cause: causeOf(world, emptySets, errorsFromMs),
  }
}

function wholeSecond(timeMs: number): number {
  return Math.floor(timeMs / 1_000) * 1_000
}
