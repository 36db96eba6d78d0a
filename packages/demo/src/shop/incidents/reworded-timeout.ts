import { HOUR_MS } from '@tidemark/wire/time/units'
import type { Random } from '../random.ts'
import { newRequest, recordOf } from '../request.ts'
import type { ShopRecord } from '../shop-record.ts'
import { deployOf, type World } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const PER_HOUR = 0.7

/** One error vanishes and another appears at the same rate: a new version of a library says the same in other words. */
export const rewordedTimeout: Incident = {
  name: 'reworded-timeout',
  kind: 'wording',
  title: 'A new error from the payment provider',
  environment: 'production',
  service: 'payments',
  span: (world) => ({ fromMs: deployOf(world, 'bump-http-client').atMs, toMs: world.nowMs }),
  records: (world, random) => {
    const after = rewordedTimeout.span(world)
    const before = { fromMs: world.openedMs, toMs: after.fromMs, firstAfterMs: HOUR_MS / 2 }
    return [
      ...failures(random, { ...before, perMinute: PER_HOUR / 60 }, (timeMs) => [
        unconfirmed(world, random, timeMs, 'Read timed out'),
      ]),
      ...failures(random, { ...after, perMinute: PER_HOUR / 60, firstAfterMs: HOUR_MS / 2 }, (timeMs) => [
        unconfirmed(world, random, timeMs, 'timeout: the peer sent nothing for 5 s'),
      ]),
    ]
  },
  cause: (world) => ({
    deploy: deployOf(world, 'bump-http-client'),
    commit: 'bump-http-client',
    place: { path: 'services/payments/build.gradle', code: 'okhttp:5.1.0' },
    because:
      'The deploy brought a new version of the HTTP client, which words a timeout differently. The same failure was there before, as often.',
  }),
}

function unconfirmed(world: World, random: Random, timeMs: number, reason: string): ShopRecord {
  return recordOf(newRequest(world, random, timeMs), {
    timeMs,
    level: 'error',
    service: 'payments',
    logger: 'com.shop.payments.PspClient',
    message: `webhook confirmation failed: ${reason}`,
    duration: 5_000,
    attributes: { provider: 'psp.example' },
  })
}
