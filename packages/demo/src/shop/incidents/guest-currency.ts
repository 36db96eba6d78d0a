import { FASTIFY } from '../library-frames.ts'
import { newRequest, type Request, recordOf } from '../request.ts'
import type { ShopRecord } from '../shop-record.ts'
import { deployOf } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const PRICE = 'services/checkout/src/price.ts'
const BAD_LINE = 'customer.account.currency'

/** A bad deploy with a new exception at once; it is still going on when the demo starts. */
export const guestCurrency: Incident = {
  name: 'guest-currency',
  kind: 'bad-deploy',
  title: 'Guests cannot check out',
  environment: 'production',
  service: 'checkout',
  span: (world) => ({ fromMs: deployOf(world, 'prices-by-currency').atMs, toMs: world.nowMs }),
  records: (world, random) =>
    failures(random, { ...guestCurrency.span(world), perMinute: 2.2, firstAfterMs: 41_000 }, (timeMs) =>
      failedCheckout(newRequest(world, random, timeMs), timeMs),
    ),
  cause: (world) => ({
    deploy: deployOf(world, 'prices-by-currency'),
    commit: 'prices-by-currency',
    place: { path: PRICE, code: BAD_LINE },
    because: 'The deploy reads the currency from the account of the customer, and guests have no account.',
  }),
}

export function failedCheckout(request: Request, timeMs: number): ShopRecord[] {
  const took = request.random.between(8, 40)
  const http = { method: 'POST', route: '/checkout', status: 500 }
  return [
    recordOf(request, {
      timeMs,
      level: 'error',
      service: 'checkout',
      message: 'checkout failed',
      http,
      duration: took,
      attributes: { guest: true, lines: request.random.between(1, 6) },
      trace: {
        type: 'TypeError',
        message: "Cannot read properties of undefined (reading 'currency')",
        frames: [
          { function: 'priceOf', path: PRICE, code: BAD_LINE },
          { function: 'placeOrder', path: 'services/checkout/src/routes/place-order.ts', code: 'priceOf(cart)' },
          ...FASTIFY,
        ],
      },
    }),
    recordOf(request, {
      // Both are logged at their ends, so that the call lies within the request.
      timeMs: timeMs + 3,
      level: 'warn',
      service: 'web',
      message: `POST /checkout 500 in ${took + 6} ms`,
      http,
      duration: took + 6,
    }),
  ]
}
