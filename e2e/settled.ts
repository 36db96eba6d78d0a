/** Waits until all that the service has acknowledged is in the engine, by its own metrics and by what lies in the spool. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'

/** Without anything being loaded. */
const PATIENCE_MS = 90_000
const ASK_EVERY_MS = 50

/** `repeatedRecords` were acknowledged but belong to batches that were sent before: they are never loaded. */
export async function settled(service: Service, { repeatedRecords = 0 } = {}): Promise<void> {
  let giveUpAt = Date.now() + PATIENCE_MS
  for (let before = -1; ; ) {
    const acknowledged = await metric(service, 'tidemark_ingest_records_total')
    const loaded = await metric(service, 'tidemark_flusher_loaded_records_total')
    const spoolBytes = await metric(service, 'tidemark_spool_bytes')
    // After a restart the counters begin at 0 before the leftovers are found, so the folder is asked as well.
    const segments = readdirSync(join(service.dataDir, 'spool'))
    if (spoolBytes === 0 && segments.length === 0 && loaded >= acknowledged - repeatedRecords) return
    if (loaded > before) giveUpAt = Date.now() + PATIENCE_MS
    before = loaded
    if (Date.now() > giveUpAt) {
      throw new Error(
        `Still ${loaded} of ${acknowledged} records loaded, in the spool ${spoolBytes} bytes, ${segments}`,
      )
    }
    await sleep(ASK_EVERY_MS)
  }
}

export async function metric(service: Service, name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`There is no metric ${name}.`)
  return Number(value)
}
