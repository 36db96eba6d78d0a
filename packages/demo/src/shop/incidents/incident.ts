/** What an incident is made of, and the parts that most of them share. */
import type { IncidentKind } from '../answers.ts'
import { arrivals } from '../arrivals.ts'
import type { ShopDeploy } from '../deploys.ts'
import { Random } from '../random.ts'
import type { StoryCommit } from '../repository/story-commits.ts'
import type { ServiceName } from '../services.ts'
import type { ShopRecord } from '../shop-record.ts'
import type { Span } from '../traffic.ts'
import type { World } from '../world.ts'

export type Incident = {
  name: string
  kind: IncidentKind
  title: string
  environment: 'production' | 'staging'
  service: ServiceName
  /** From what made it possible until it was over; until now while it is going on. */
  span(world: World): Span
  records(world: World, random: Random): ShopRecord[]
  /** The first error that counts, when that is not the first one of the span. */
  anchorMs?(world: World): number
  cause(world: World): Cause
}

type Cause = {
  deploy: ShopDeploy | null
  commit: StoryCommit | null
  /** The line, by its text, in the code of that commit. */
  place: { path: string; code: string } | null
  because: string
}

export function recordsOf(world: World, incident: Incident): ShopRecord[] {
  return incident.records(world, new Random(world.seed, incident.name))
}

/** Failures at random times of a span, the first of them soon after it began. */
export function failures(
  random: Random,
  { fromMs, toMs, perMinute, firstAfterMs = 20_000 }: Span & { perMinute: number; firstAfterMs?: number },
  scene: (timeMs: number) => ShopRecord[],
): ShopRecord[] {
  const first = fromMs + firstAfterMs
  const times = [first, ...arrivals(random, { fromMs: first, toMs, peakPerSecond: perMinute / 60 })]
  return times.flatMap(scene)
}
