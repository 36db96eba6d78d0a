/** What the services log when all goes well: one scene is the records of one request, sharing a trace. */
import type { Random } from './random.ts'
import { newRequest, type Request, recordOf } from './request.ts'
import type { ShopRecord } from './shop-record.ts'
import type { Ground } from './world.ts'

type Scene = (request: Request, timeMs: number) => ShopRecord[]

const WORDS = ['red shoes', 'rain coat', 'linen shirt', 'wool cap', 'tote bag', 'running shorts'] as const
const MEMORY_MIB = 180

/** Scenes by how often they are played. */
const SCENES: readonly [Scene, ...Scene[]] = [
  browse,
  browse,
  browse,
  browse,
  browse,
  search,
  search,
  search,
  updateCart,
  updateCart,
  placeOrder,
  work,
]

export function ordinaryScene(world: Ground, random: Random, timeMs: number, environment: string): ShopRecord[] {
  return random.pick(SCENES)(newRequest(world, random, timeMs, environment), timeMs)
}

function browse(request: Request, timeMs: number): ShopRecord[] {
  const { random } = request
  const sku = random.between(10_000, 99_999)
  const took = random.between(4, 60)
  const http = { method: 'GET', route: '/products/:id', status: random.chance(0.02) ? 404 : 200 }
  const isCached = random.chance(0.7)
  return [
    recordOf(request, {
      timeMs,
      level: 'debug',
      service: 'catalog',
      message: isCached ? `product ${sku} read from the cache` : `product ${sku} read from the database in ${took} ms`,
      attributes: { cache: isCached ? 'hit' : 'miss' },
      duration: took,
    }),
    recordOf(request, {
      // Both are logged at their ends, so that the call lies within the request.
      timeMs: timeMs + 4,
      level: http.status === 404 ? 'warn' : 'info',
      service: 'web',
      message: `GET /products/${sku} ${http.status} in ${took + 9} ms`,
      http,
      duration: took + 9,
    }),
  ]
}

function search(request: Request, timeMs: number): ShopRecord[] {
  const { random } = request
  const took = random.chance(0.03) ? random.between(900, 1_700) : random.between(12, 140)
  const found = random.below(90)
  const line = { service: 'catalog', logger: 'catalog.search', duration: took } as const
  return [
    recordOf(request, {
      ...line,
      timeMs: timeMs + took,
      level: 'info',
      message: `search for "${random.pick(WORDS)}" found ${found} products in ${took} ms`,
    }),
    ...(took > 900
      ? [recordOf(request, { ...line, timeMs: timeMs + took, level: 'warn', message: `slow search: ${took} ms` })]
      : []),
    recordOf(request, {
      timeMs: timeMs + took + 3,
      level: 'info',
      service: 'web',
      message: `GET /search 200 in ${took + 11} ms`,
      http: { method: 'GET', route: '/search', status: 200 },
      duration: took + 11,
    }),
  ]
}

function updateCart(request: Request, timeMs: number): ShopRecord[] {
  const { random } = request
  const lines = random.between(1, 6)
  const took = random.between(6, 40)
  return [
    recordOf(request, { timeMs, level: 'info', service: 'checkout', message: 'cart updated', attributes: { lines } }),
    recordOf(request, {
      timeMs: timeMs + took,
      level: 'info',
      service: 'web',
      message: `POST /cart 200 in ${took} ms`,
      http: { method: 'POST', route: '/cart', status: 200 },
      duration: took,
    }),
  ]
}

function placeOrder(request: Request, timeMs: number): ShopRecord[] {
  const { random } = request
  const order = random.between(100_000, 999_999)
  const cents = random.between(900, 42_000)
  const took = random.between(140, 620)
  return [
    recordOf(request, {
      timeMs: timeMs + took - 40,
      level: 'info',
      service: 'payments',
      message: `payment captured for order ${order}`,
      attributes: { order, cents, provider: 'psp.example' },
      duration: took - 60,
    }),
    recordOf(request, {
      timeMs: timeMs + took,
      level: 'info',
      service: 'checkout',
      message: `order ${order} placed`,
      http: { method: 'POST', route: '/checkout', status: 201 },
      attributes: { order, cents },
      duration: took,
    }),
    recordOf(request, {
      timeMs: timeMs + took + 8,
      level: 'info',
      service: 'web',
      message: `POST /checkout 201 in ${took + 8} ms`,
      http: { method: 'POST', route: '/checkout', status: 201 },
      duration: took + 8,
    }),
    recordOf(request, {
      timeMs: timeMs + took + random.between(300, 2_500),
      level: 'info',
      service: 'worker',
      logger: 'worker.mail',
      message: `receipt for order ${order} sent`,
      attributes: { order, queue: 'mail' },
    }),
  ]
}

function work(request: Request, timeMs: number): ShopRecord[] {
  const { random } = request
  const heap = MEMORY_MIB + random.below(60)
  return [
    recordOf(request, {
      timeMs,
      level: 'info',
      service: 'worker',
      logger: 'worker.images',
      message: `resized image ${random.hex(8)} to three widths`,
      attributes: { queue: 'image', heap_mib: heap },
      duration: random.between(80, 400),
    }),
  ]
}
