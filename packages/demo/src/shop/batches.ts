import type { ShopRecord } from './shop-record.ts'

/** A request body and its name. The same records get the same name, so that sending them again stores them once. */
export type Batch = { id: string; records: number; body: string }

export function* ndjsonBatches(records: readonly ShopRecord[], name: string, perBatch: number): Generator<Batch> {
  for (let from = 0; from < records.length; from += perBatch) {
    const part = records.slice(from, from + perBatch)
    const body = part.map((record) => JSON.stringify(record)).join('\n')
    yield { id: `${name}-${from}`, records: part.length, body }
  }
}
