import { MINUTE_MS } from '@tidemark/wire/time/units'
import { FASTIFY } from '../library-frames.ts'
import type { Random } from '../random.ts'
import { newRequest, recordOf } from '../request.ts'
import type { ShopRecord } from '../shop-record.ts'
import { deployOf, type World } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const CART = 'services/checkout/src/cart.ts'
const BAD_LINE = 'return Array(line.quantity)'

/** Fixed once, quiet for more than a week, and back when somebody tidied the fix away. */
export const oddQuantities: Incident = {
  name: 'odd-quantities',
  kind: 'regression',
  title: 'Carts with odd quantities fail again',
  environment: 'production',
  service: 'checkout',
  span: (world) => ({
    fromMs: deployOf(world, 'simplify-cart').atMs,
    toMs: deployOf(world, 'refuse-odd-quantities-again').atMs,
  }),
  records: (world, random) => {
    const first = {
      fromMs: deployOf(world, 'order-by-the-dozen').atMs + 50 * MINUTE_MS,
      toMs: deployOf(world, 'refuse-odd-quantities').atMs,
    }
    const again = { ...oddQuantities.span(world), firstAfterMs: 6 * MINUTE_MS }
    return [
      ...failures(random, { ...first, perMinute: 0.1 }, (timeMs) => failedCart(world, random, timeMs)),
      ...failures(random, { ...again, perMinute: 0.4 }, (timeMs) => failedCart(world, random, timeMs)),
    ]
  },
  cause: (world) => ({
    deploy: deployOf(world, 'simplify-cart'),
    commit: 'simplify-cart',
    place: { path: CART, code: BAD_LINE },
    because: 'The deploy took the check of quantities out again that had ended the same error eleven days before.',
  }),
}

function failedCart(world: World, random: Random, timeMs: number): ShopRecord[] {
  const request = newRequest(world, random, timeMs)
  const http = { method: 'POST', route: '/cart', status: 500 }
  return [
    recordOf(request, {
      timeMs,
      level: 'error',
      service: 'checkout',
      message: 'cart could not be built',
      http,
      duration: 5,
      attributes: { quantity: random.pick([-1, 1.5, 2.5, -12]), client: 'mobile' },
      trace: {
        type: 'RangeError',
        message: 'Invalid array length',
        frames: [
          { function: 'expandLine', path: CART, code: BAD_LINE },
          { function: 'buildCart', path: CART, code: 'lines.flatMap' },
          {
            function: 'updateCart',
            path: 'services/checkout/src/routes/update-cart.ts',
            code: 'buildCart(request.body.lines',
          },
          ...FASTIFY,
        ],
      },
    }),
  ]
}
