/**
 * The records of the benchmarks: a larger shop's services without a story, about 300 bytes of JSON each, four in ten with
 * attributes, three in a hundred errors with a stack. The same seed gives the same records, so that two runs compare.
 */

import { Random } from '../packages/demo/src/shop/random.ts'
import { HOUR_MS } from '../packages/wire/src/time/units.ts'

type BenchmarkRecord = Record<string, unknown> & { message: string; timestamp: string }

const SERVICES = [
  'checkout',
  'cart',
  'catalog',
  'payments',
  'search',
  'accounts',
  'mail',
  'gateway',
  'stock',
  'pricing',
] as const
const PATHS = ['/api/cart', '/api/checkout', '/api/items/search', '/api/orders', '/login', '/api/payments/confirm']
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']
const FAILURES = ['TypeError', 'TimeoutError', 'PaymentRefused', 'RangeError'] as const

export class BenchmarkRecords {
  readonly #random: Random
  readonly #nowMs: number
  readonly #spanMs: number

  constructor({
    seed = 1,
    nowMs = Date.now(),
    spanMs = HOUR_MS,
  }: { seed?: number; nowMs?: number; spanMs?: number } = {}) {
    this.#random = new Random(seed)
    this.#nowMs = nowMs
    this.#spanMs = spanMs
  }

  next(): BenchmarkRecord {
    const random = this.#random
    const kind = random.below(100)
    const service = random.pick(SERVICES)
    const base = {
      timestamp: new Date(this.#nowMs - random.below(this.#spanMs)).toISOString(),
      level: kind < 3 ? 'error' : kind < 8 ? 'warn' : kind < 20 ? 'debug' : 'info',
      service,
      host: `${service}-${random.below(6)}.eu-1.internal`,
      environment: random.below(10) === 0 ? 'staging' : 'production',
      release: `2026.11.${random.below(20)}`,
      traceId: random.hex(32),
    }
    if (kind < 3) return { ...base, ...failureOf(random, service) }
    const message = messageOf(random)
    return kind < 60 ? { ...base, message } : { ...base, message, attributes: attributesOf(random) }
  }
}

/** Request bodies of `perBody` records each. */
export function ndjsonBodies(count: number, perBody: number, seed = 1): Buffer[] {
  const records = new BenchmarkRecords({ seed })
  const bodies: Buffer[] = []
  for (let made = 0; made < count; made += perBody) {
    const size = Math.min(perBody, count - made)
    bodies.push(Buffer.from(Array.from({ length: size }, () => JSON.stringify(records.next())).join('\n')))
  }
  return bodies
}

function messageOf(random: Random): string {
  switch (random.below(8)) {
    case 0:
      return `${METHODS[random.below(6)]} ${PATHS[random.below(6)]}/${random.below(100_000)} answered 200 in ${random.below(900)} ms for session ${random.hex(16)}`
    case 1:
      return `user ${random.below(1_000_000)} logged in from 10.${random.below(256)}.${random.below(256)}.${random.below(256)} after ${random.below(3)} attempts`
    case 2:
      return `cache miss for key item:${random.hex(8)}:price, asked the catalog instead and kept the answer for 300 s`
    case 3:
      return `order ${random.hex(8)}-${random.hex(4)} placed: ${random.below(9) + 1} items, ${random.below(90_000) / 100} EUR, paid by card`
    case 4:
      return `slow query on orders took ${random.below(5_000)} ms: select by customer and state, ${random.below(400)} rows read`
    case 5:
      return `worker ${random.below(16)} took job ${random.hex(24)} from queue mail after waiting ${random.below(60_000)} ms`
    case 6:
      return `connection to stock-db-${random.below(3)} opened again after ${random.below(30)} s, ${random.below(50)} in the pool`
    default:
      return `feature new-checkout is on for account ${random.below(500_000)}, variant b, decided by rule ${random.below(12)}`
  }
}

function attributesOf(random: Random): Record<string, unknown> {
  return {
    http: { status: [200, 200, 200, 201, 404, 500][random.below(6)], method: METHODS[random.below(6)] },
    durationMs: random.below(2_000),
    userId: `u-${random.below(100_000)}`,
  }
}

function failureOf(random: Random, service: string): { message: string; error: Record<string, string> } {
  const type = random.pick(FAILURES)
  const message = `Cannot read properties of undefined (reading 'total') for cart ${random.below(100_000)}`
  const frames = ['confirmOrder', 'chargeCard', 'handleRequest'].map(
    (name, at) => `    at ${name} (/srv/${service}/dist/${name.toLowerCase()}.js:${random.below(400) + 1}:${at + 7})`,
  )
  const stack = [
    `${type}: ${message}`,
    ...frames,
    '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  ].join('\n')
  return { message: `checkout failed: ${message}`, error: { type, message, stack } }
}
