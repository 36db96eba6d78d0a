/**
 * An independent witness for the promise that every error is counted into its analysis exactly once: it sends errors of
 * known kinds until each batch is acknowledged, remembers how many of each kind, and compares that with the analyses.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { analysed } from './analysed.ts'
import type { TestProject } from './ingest-project.ts'
import type { Service } from './service.ts'

type Options = Pick<TestProject, 'id' | 'ingestKey'> & { service: () => Service; kinds: number; errorsPerBatch: number }

type AnalysisVerdict = { acknowledged: number; counted: number; kinds: number; wrongKinds: string[] }

const PAUSE_WHEN_AWAY_MS = 20
const ASK_EVERY_MS = 1_500

export class ErrorWitness {
  readonly #options: Options
  readonly #acknowledged = new Map<string, number>()
  #nextBatch = 0
  #nextError = 0

  constructor(options: Options) {
    this.#options = options
  }

  get acknowledged(): number {
    return [...this.#acknowledged.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Sends batches over several connections until `errors` errors are acknowledged. */
  async send(errors: number, connections: number): Promise<void> {
    let left = Math.ceil(errors / this.#options.errorsPerBatch)
    const client = async () => {
      while (left-- > 0) await this.#sendBatch()
    }
    await Promise.all(Array.from({ length: connections }, client))
  }

  /** Waits until everything is counted or no count has changed for `patienceMs`, and compares. */
  async verdict(patienceMs: number): Promise<AnalysisVerdict> {
    let counts = new Map<string, number>()
    let movedAt = Date.now()
    for (let before = -1; Date.now() - movedAt < patienceMs; await sleep(ASK_EVERY_MS)) {
      const read = await this.#counts().catch(() => undefined)
      if (read === undefined) continue
      counts = read
      const total = sum(counts)
      // Too many would only show after more waiting, so it waits a moment once everything is there.
      if (total >= this.acknowledged && total === before) break
      if (total !== before) movedAt = Date.now()
      before = total
    }
    const kinds = new Set([...counts.keys(), ...this.#acknowledged.keys()])
    const wrong = [...kinds].filter((kind) => counts.get(kind) !== this.#acknowledged.get(kind))
    return {
      acknowledged: this.acknowledged,
      counted: sum(counts),
      kinds: counts.size,
      wrongKinds: wrong.map((kind) => `${kind}: ${counts.get(kind)} of ${this.#acknowledged.get(kind)}`),
    }
  }

  async #sendBatch(): Promise<void> {
    const { errorsPerBatch, kinds } = this.#options
    const batch = `errors-${this.#nextBatch++}`
    const sent = new Map<string, number>()
    const lines = Array.from({ length: errorsPerBatch }, () => {
      const kind = `Kind${this.#nextError++ % kinds}Error`
      sent.set(kind, (sent.get(kind) ?? 0) + 1)
      const message = 'the order could not be paid'
      const stack = `${kind}: ${message}\n    at pay (/srv/shop/${kind}.js:10:5)\n    at order (/srv/shop/order.js:3:1)`
      return JSON.stringify({ level: 'error', environment: 'production', error: { type: kind, message, stack } })
    })
    while (!(await this.#post(batch, lines.join('\n')))) await sleep(PAUSE_WHEN_AWAY_MS)
    for (const [kind, count] of sent) this.#acknowledged.set(kind, (this.#acknowledged.get(kind) ?? 0) + count)
  }

  async #post(batch: string, body: string): Promise<boolean> {
    const { service, ingestKey } = this.#options
    try {
      const response = await fetch(`${service().url}/v1/logs`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ingestKey}`,
          'content-type': 'application/x-ndjson',
          'x-batch-id': batch,
        },
        body,
      })
      await response.arrayBuffer()
      return response.status === 200
    } catch {
      return false
    }
  }

  async #counts(): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const { service, id } = this.#options
    for (const { type, title, count } of await analysed(service(), id, () => true)) {
      counts.set(type || title, (counts.get(type || title) ?? 0) + count)
    }
    return counts
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
