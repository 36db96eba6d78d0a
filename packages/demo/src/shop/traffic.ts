/**
 * How much the shop logs and when. Three weeks at the full rate would be millions of records, so the weeks are thin, the
 * hours around an incident denser, and the last hours rise to the rate of the live writer.
 */
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { arrivals } from './arrivals.ts'
import { everydayErrors } from './everyday-errors.ts'
import { Random } from './random.ts'
import { ordinaryScene } from './scenes.ts'
import type { ShopRecord } from './shop-record.ts'
import type { World } from './world.ts'

/** Requests; each leaves two to four records. */
const THIN_PER_SECOND = 0.0075
const DENSE_PER_SECOND = 0.06
const LIVE_PER_SECOND = 1
const RISE_MS = 25 * MINUTE_MS
const STAGING_SHARE = 0.12

export type Span = { fromMs: number; toMs: number }

export function ordinaryTraffic(world: World, dense: readonly Span[]): ShopRecord[] {
  const random = new Random(world.seed, 'traffic')
  const weeks = { fromMs: world.openedMs, toMs: world.nowMs, peakPerSecond: DENSE_PER_SECOND * BUSIEST }
  const perSecond = (timeMs: number) => {
    const isDense = dense.some(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs)
    return (isDense ? DENSE_PER_SECOND : THIN_PER_SECOND) * dailyLoad(timeMs)
  }
  const rise = { fromMs: world.nowMs - 12 * RISE_MS, toMs: world.nowMs, peakPerSecond: LIVE_PER_SECOND }
  const times = [
    ...arrivals(random, weeks, perSecond),
    ...arrivals(random, rise, (timeMs) => LIVE_PER_SECOND * Math.exp((timeMs - world.nowMs) / RISE_MS)),
  ]
  const records = times.flatMap((timeMs) => sceneAt(world, random, timeMs))
  // At the same rate all the time: errors must not rise because the demo is about to begin.
  return [...records, ...everydayErrors(world, new Random(world.seed, 'everyday errors'), weeks)]
}

/** The records of a moment of the live shop. */
export function liveTraffic(world: World, random: Random, span: Span): ShopRecord[] {
  const times = arrivals(random, { ...span, peakPerSecond: LIVE_PER_SECOND })
  return [...times].flatMap((timeMs) => sceneAt(world, random, timeMs))
}

function sceneAt(world: World, random: Random, timeMs: number): ShopRecord[] {
  return ordinaryScene(world, random, timeMs, random.chance(STAGING_SHARE) ? 'staging' : 'production')
}

export const BUSIEST = 1.6

/** Quiet at four in the morning, busiest in the afternoon; 1 on average. */
export function dailyLoad(timeMs: number): number {
  const hour = (timeMs / HOUR_MS) % 24
  return 1 + (BUSIEST - 1) * Math.sin(((hour - 10.5) / 24) * 2 * Math.PI)
}
