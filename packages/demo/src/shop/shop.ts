/**
 * The simulated shop: five services, two environments, three weeks of records, deploys and a git repository, and a dozen
 * incidents whose causes are known. Pure: the same seed and the same `nowMs` give the same shop, byte for byte.
 */
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { answerOf } from './answer-of.ts'
import type { Answer } from './answers.ts'
import type { ShopDeploy } from './deploys.ts'
import { PAST_INCIDENTS } from './incidents/all-incidents.ts'
import { type Incident, recordsOf } from './incidents/incident.ts'
import type { Repository } from './repository/repository.ts'
import type { ShopRecord } from './shop-record.ts'
import { ordinaryTraffic, type Span } from './traffic.ts'
import { makeWorld, type World } from './world.ts'

export type Shop = {
  world: World
  repository: Repository
  /** Oldest first. */
  deploys: readonly ShopDeploy[]
  /** Oldest first, none later than `nowMs`. */
  records: readonly ShopRecord[]
  answers: readonly Answer[]
}

export const DEFAULT_SEED = 7

export function makeShop({ seed = DEFAULT_SEED, nowMs }: { seed?: number; nowMs: number }): Shop {
  const world = makeWorld({ seed, nowMs })
  const incidents = PAST_INCIDENTS.map((incident) => ({ incident, records: recordsOf(world, incident) }))
  const end = new Date(nowMs).toISOString()
  const records = [
    ...ordinaryTraffic(
      world,
      PAST_INCIDENTS.map((incident) => denseSpan(world, incident)),
    ),
    ...incidents.flatMap((one) => one.records),
  ]
    .filter(({ timestamp }) => timestamp <= end)
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0))
  const answers = incidents.map((one) => answerOf(world, one.incident, one.records))
  return { world, repository: world.repository, deploys: world.deploys, records, answers }
}

/** Enough records around the beginning of an incident to compare with. */
function denseSpan(world: World, incident: Incident): Span {
  const { fromMs, toMs } = incident.span(world)
  return { fromMs: fromMs - 40 * MINUTE_MS, toMs: Math.min(toMs, fromMs + HOUR_MS) + 20 * MINUTE_MS }
}
