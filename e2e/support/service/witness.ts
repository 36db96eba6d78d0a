/**
 * An independent witness for the promise that a 200 is kept: it sends numbered records, remembers which batches were
 * acknowledged, and compares that with what the engine has.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { engineRows } from './engine-query.ts'

export type Verdict = {
  acknowledged: number
  stored: number
  /** Records of acknowledged batches that are not there. */
  lost: number
  /** Records that are there more than once. */
  doubled: number
  /** Batches that are there in part. */
  partial: number
}

type Options = {
  url: () => string
  ingestKey: string
  recordsPerBatch: number
  pauseMs?: number
  /** With ids an unanswered batch is sent again until it is acknowledged; without, nobody knows what happened to it. */
  withBatchIds: boolean
}

const PAUSE_WHEN_AWAY_MS = 20

export class Witness {
  readonly #options: Options
  readonly #acknowledged = new Set<string>()
  readonly statuses: Record<string, number> = {}
  #next = 0
  #isStopping = false
  #isAbandoned = false
  #loops: Promise<void>[] = []

  constructor(options: Options) {
    this.#options = options
  }

  get acknowledgedBatches(): number {
    return this.#acknowledged.size
  }

  /** A copy: what is acknowledged later is not in it. */
  acknowledged(): string[] {
    return [...this.#acknowledged]
  }

  start(connections: number): void {
    this.#loops = Array.from({ length: connections }, () => this.#loop())
  }

  /** No new batches; what is on its way is finished, retries included. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#loops)
  }

  /** Also ends what would be sent again forever, for instance after a failed test. */
  abandon(): void {
    this.#isStopping = true
    this.#isAbandoned = true
  }

  async verdict(dataDir: string, projectId: string): Promise<Verdict> {
    const { recordsPerBatch } = this.#options
    const rows = await engineRows<{ batch: string; records: string; distinct: string }>(
      dataDir,
      `SELECT trace_id AS batch, count() AS records, uniqExact(message) AS distinct FROM logs WHERE project = '${projectId}' GROUP BY batch`,
    )
    const found = new Map(
      rows.map((row) => [row.batch, { records: Number(row.records), distinct: Number(row.distinct) }]),
    )
    const verdict: Verdict = {
      acknowledged: this.#acknowledged.size * recordsPerBatch,
      stored: 0,
      lost: 0,
      doubled: 0,
      partial: 0,
    }
    for (const batch of this.#acknowledged) verdict.lost += recordsPerBatch - (found.get(batch)?.distinct ?? 0)
    for (const { records, distinct } of found.values()) {
      verdict.stored += records
      verdict.doubled += records - distinct
      if (distinct !== recordsPerBatch) verdict.partial++
    }
    return verdict
  }

  async #loop(): Promise<void> {
    while (!this.#isStopping) {
      const batch = `batch-${this.#next++}`
      const body = Array.from({ length: this.#options.recordsPerBatch }, (_, index) =>
        JSON.stringify({
          message: `record ${index} of ${batch}`,
          traceId: batch,
          environment: 'production',
          level: 'info',
        }),
      ).join('\n')
      while (!(await this.#send(batch, body))) {
        await sleep(PAUSE_WHEN_AWAY_MS)
        if (!this.#options.withBatchIds || this.#isAbandoned) break
      }
      if (this.#options.pauseMs) await sleep(this.#options.pauseMs)
    }
  }

  async #send(batch: string, body: string): Promise<boolean> {
    const { url, ingestKey, withBatchIds } = this.#options
    try {
      const response = await fetch(`${url()}/v1/logs`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ingestKey}`,
          'content-type': 'application/x-ndjson',
          ...(withBatchIds ? { 'x-batch-id': batch } : {}),
        },
        body,
      })
      await response.arrayBuffer()
      this.#note(String(response.status))
      if (response.status === 200) this.#acknowledged.add(batch)
      return response.status === 200
    } catch {
      this.#note('no answer')
      return false
    }
  }

  #note(status: string): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
  }
}
