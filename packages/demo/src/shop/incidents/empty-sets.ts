import { FASTAPI } from '../library-frames.ts'
import type { Random } from '../random.ts'
import { LIVE_RELEASE } from '../releases.ts'
import { newRequest, recordOf } from '../request.ts'
import type { ShopRecord } from '../shop-record.ts'
import { deployOf, type World } from '../world.ts'
import type { Incident } from './incident.ts'

const DISCOUNTS = 'services/catalog/catalog/discounts.py'
const BAD_LINE = 'best["percent"] / len(pieces)'

/** The one that happens while somebody watches. It needs a world in which the live deploy was made. */
export const emptySets: Incident = {
  name: 'empty-sets',
  kind: 'live',
  title: 'Discounted products cannot be shown',
  environment: 'production',
  service: 'catalog',
  span: (world) => ({ fromMs: deployOf(world, LIVE_RELEASE).atMs, toMs: world.nowMs }),
  records: () => [],
  cause: (world) => ({
    deploy: deployOf(world, LIVE_RELEASE),
    commit: 'share-discounts',
    place: { path: DISCOUNTS, code: BAD_LINE },
    because: 'The deploy divides a discount by the number of pieces of a set, and a product that is no set has none.',
  }),
}

export function failedDiscount(world: World, random: Random, timeMs: number): ShopRecord[] {
  const request = newRequest(world, random, timeMs)
  const sku = random.between(10_000, 99_999)
  const http = { method: 'GET', route: '/products/{sku}', status: 500 }
  return [
    recordOf(request, {
      timeMs,
      level: 'error',
      service: 'catalog',
      message: `product ${sku} could not be read`,
      http,
      duration: random.between(4, 30),
      attributes: { discounted: true },
      trace: {
        type: 'ZeroDivisionError',
        message: 'division by zero',
        frames: [
          { function: 'discounted', path: DISCOUNTS, code: BAD_LINE },
          { function: 'read_product', path: 'services/catalog/catalog/app.py', code: 'discounted(product)' },
          ...FASTAPI,
        ],
      },
    }),
    recordOf(request, {
      timeMs: timeMs + 12,
      level: 'warn',
      service: 'web',
      message: `GET /products/${sku} 500 in 41 ms`,
      http: { ...http, route: '/products/:id' },
      duration: 41,
    }),
  ]
}
