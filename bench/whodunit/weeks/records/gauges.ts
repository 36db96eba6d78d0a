import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { recordAt, type Scene } from './scene.ts'

const EVERY_MS = 20 * MINUTE_MS
const LOOKS = 9

type Gauge = {
  service: ServiceName
  host: number
  logger: string
  /** What is said when it is this near to the end: 1 is the last time. */
  says(nth: number): { level: 'info' | 'warn'; message: string; attributes: Record<string, unknown> }
}

/** What a machine says of itself in the hours before it has had enough, the last time just before. */
export function gaugesUntil(scene: Scene, random: Random, untilMs: number, gauge: Gauge): ShopRecord[] {
  const { service, host, logger, says } = gauge
  return Array.from({ length: LOOKS }, (_, at) => {
    const timeMs = untilMs - (at + 1) * EVERY_MS
    return recordAt(scene, random, { timeMs, service, environment: 'production', host, logger, ...says(at + 1) })
  })
}
