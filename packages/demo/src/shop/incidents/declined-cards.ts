import { HOUR_MS } from '@tidemark/wire/time/units'
import { SPRING } from '../library-frames.ts'
import type { Random } from '../random.ts'
import { newRequest, recordOf } from '../request.ts'
import type { ShopRecord } from '../shop-record.ts'
import { deployOf, type World } from '../world.ts'
import { failures, type Incident } from './incident.ts'
import { CONTROLLER_FRAME, SERVICE_PATH } from './payment-frames.ts'

const PER_HOUR_BEFORE = 1.2
const PER_HOUR_AFTER = 2.6
const REASONS = ['insufficient funds', 'card expired', 'suspected fraud'] as const

/** There from the first day; since one deploy there are twice as many. */
export const declinedCards: Incident = {
  name: 'declined-cards',
  kind: 'increase',
  title: 'Twice as many declined cards',
  environment: 'production',
  service: 'payments',
  span: (world) => ({ fromMs: deployOf(world, 'retry-declined-captures').atMs, toMs: world.nowMs }),
  anchorMs: (world) => world.openedMs + HOUR_MS,
  records: (world, random) => {
    const after = declinedCards.span(world)
    const before = { fromMs: world.openedMs, toMs: after.fromMs, firstAfterMs: HOUR_MS }
    const thrown = 'throw new CardDeclinedException'
    const logged = 'new CardDeclinedException(answer.reason())'
    return [
      ...failures(random, { ...before, perMinute: PER_HOUR_BEFORE / 60 }, (timeMs) => [
        declined(world, random, timeMs, thrown),
      ]),
      ...failures(random, { ...after, perMinute: PER_HOUR_AFTER / 60, firstAfterMs: HOUR_MS / 6 }, (timeMs) => [
        declined(world, random, timeMs, random.chance(0.5) ? logged : thrown),
      ]),
    ]
  },
  cause: (world) => ({
    deploy: deployOf(world, 'retry-declined-captures'),
    commit: 'retry-declined-captures',
    place: { path: SERVICE_PATH, code: 'log.error("capture declined"' },
    because: 'The error is older than the deploy; the deploy tries a declined capture again and logs both attempts.',
  }),
}

function declined(world: World, random: Random, timeMs: number, code: string): ShopRecord {
  const order = random.between(100_000, 999_999)
  const reason = random.pick(REASONS)
  return recordOf(newRequest(world, random, timeMs), {
    timeMs,
    level: 'error',
    service: 'payments',
    message: 'capture declined',
    http: { method: 'POST', route: '/captures', status: 402 },
    duration: random.between(300, 900),
    attributes: { order, reason, provider: 'psp.example' },
    trace: {
      type: 'com.shop.payments.CardDeclinedException',
      message: `the issuer declined the card: ${reason}`,
      frames: [
        { function: 'com.shop.payments.CaptureService.capture', path: SERVICE_PATH, code },
        CONTROLLER_FRAME,
        ...SPRING,
      ],
    },
  })
}
