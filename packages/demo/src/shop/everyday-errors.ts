/** The errors that every shop has all the time, and that nobody is woken up for. */
import { arrivals } from './arrivals.ts'
import type { Random } from './random.ts'
import { newRequest, recordOf } from './request.ts'
import type { ShopRecord } from './shop-record.ts'
import type { Ground } from './world.ts'

const BOUNCES_PER_HOUR = 0.25
const TIMEOUTS_PER_HOUR = 0.3

export function everydayErrors(world: Ground, random: Random, span: { fromMs: number; toMs: number }): ShopRecord[] {
  const each = (perHour: number) => [...arrivals(random, { ...span, peakPerSecond: perHour / 3_600 })]
  return [
    ...each(BOUNCES_PER_HOUR).map((timeMs) =>
      recordOf(newRequest(world, random, timeMs), {
        timeMs,
        level: 'error',
        service: 'worker',
        logger: 'worker.mail',
        message: 'the receipt could not be delivered: 550 mailbox unavailable',
        attributes: { queue: 'mail', attempt: random.between(1, 5) },
      }),
    ),
    ...each(TIMEOUTS_PER_HOUR).map((timeMs) =>
      recordOf(newRequest(world, random, timeMs), {
        timeMs,
        level: 'error',
        service: 'web',
        message: 'catalog did not answer within 5000 ms',
        http: { method: 'GET', route: '/products/:id', status: 504 },
        duration: 5_000,
      }),
    ),
  ]
}
