/**
 * The records of the benchmarks: a shop's services, about 280 bytes of JSON each, four in ten with attributes, three in a
 * hundred errors with a stack. The same seed gives the same records, so that two runs compare.
 */
export type SampleRecord = Record<string, unknown> & { message: string; timestamp: string }

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
]
const PATHS = ['/api/cart', '/api/checkout', '/api/items/search', '/api/orders', '/login', '/api/payments/confirm']
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']

export class SampleRecords {
  #state: number
  readonly #nowMs: number
  readonly #spanMs: number

  constructor({
    seed = 1,
    nowMs = Date.now(),
    spanMs = 3_600_000,
  }: { seed?: number; nowMs?: number; spanMs?: number } = {}) {
    this.#state = seed
    this.#nowMs = nowMs
    this.#spanMs = spanMs
  }

  next(): SampleRecord {
    const kind = this.#below(100)
    const service = SERVICES[this.#below(SERVICES.length)] ?? 'checkout'
    const base = {
      timestamp: new Date(this.#nowMs - this.#below(this.#spanMs)).toISOString(),
      level: kind < 3 ? 'error' : kind < 8 ? 'warn' : kind < 20 ? 'debug' : 'info',
      service,
      host: `${service}-${this.#below(6)}.eu-1.internal`,
      environment: this.#below(10) === 0 ? 'staging' : 'production',
      release: `2026.11.${this.#below(20)}`,
      traceId: this.#hex(32),
    }
    if (kind < 3) return { ...base, ...this.#failure(service) }
    const message = this.#message()
    return kind < 60 ? { ...base, message } : { ...base, message, attributes: this.#attributes() }
  }

  #message(): string {
    switch (this.#below(8)) {
      case 0:
        return `${METHODS[this.#below(6)]} ${PATHS[this.#below(6)]}/${this.#below(100_000)} answered 200 in ${this.#below(900)} ms for session ${this.#hex(16)}`
      case 1:
        return `user ${this.#below(1_000_000)} logged in from 10.${this.#below(256)}.${this.#below(256)}.${this.#below(256)} after ${this.#below(3)} attempts`
      case 2:
        return `cache miss for key item:${this.#hex(8)}:price, asked the catalog instead and kept the answer for 300 s`
      case 3:
        return `order ${this.#hex(8)}-${this.#hex(4)} placed: ${this.#below(9) + 1} items, ${this.#below(90_000) / 100} EUR, paid by card`
      case 4:
        return `slow query on orders took ${this.#below(5_000)} ms: select by customer and state, ${this.#below(400)} rows read`
      case 5:
        return `worker ${this.#below(16)} took job ${this.#hex(24)} from queue mail after waiting ${this.#below(60_000)} ms`
      case 6:
        return `connection to stock-db-${this.#below(3)} opened again after ${this.#below(30)} s, ${this.#below(50)} in the pool`
      default:
        return `feature new-checkout is on for account ${this.#below(500_000)}, variant b, decided by rule ${this.#below(12)}`
    }
  }

  #attributes(): Record<string, unknown> {
    return {
      http: { status: [200, 200, 200, 201, 404, 500][this.#below(6)], method: METHODS[this.#below(6)] },
      durationMs: this.#below(2_000),
      userId: `u-${this.#below(100_000)}`,
    }
  }

  #failure(service: string): { message: string; error: Record<string, string> } {
    const type = ['TypeError', 'TimeoutError', 'PaymentRefused', 'RangeError'][this.#below(4)] ?? 'Error'
    const message = `Cannot read properties of undefined (reading 'total') for cart ${this.#below(100_000)}`
    const frames = ['confirmOrder', 'chargeCard', 'handleRequest'].map(
      (name, at) => `    at ${name} (/srv/${service}/dist/${name.toLowerCase()}.js:${this.#below(400) + 1}:${at + 7})`,
    )
    const stack = [
      `${type}: ${message}`,
      ...frames,
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
    ].join('\n')
    return { message: `checkout failed: ${message}`, error: { type, message, stack } }
  }

  #hex(digits: number): string {
    let text = ''
    while (text.length < digits) text += this.#below(0x10000).toString(16).padStart(4, '0')
    return text.slice(0, digits)
  }

  /** Mulberry32: small, quick, and the same everywhere. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}

/** Request bodies of so many records each. */
export function ndjsonBodies(count: number, perBody: number, seed = 1): Buffer[] {
  const records = new SampleRecords({ seed })
  const bodies: Buffer[] = []
  for (let made = 0; made < count; made += perBody) {
    const size = Math.min(perBody, count - made)
    bodies.push(Buffer.from(Array.from({ length: size }, () => JSON.stringify(records.next())).join('\n')))
  }
  return bodies
}
