/** Waits until all that the service has acknowledged is in the engine: a segment leaves the spool only when it is stored. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'

/** Without anything being loaded. */
const PATIENCE_MS = 90_000
const ASK_EVERY_MS = 50

export async function settled(service: Service): Promise<void> {
  let giveUpAt = Date.now() + PATIENCE_MS
  for (let before = -1; ; ) {
    const segments = service.nodes.flatMap((node) => readdirSync(join(node.dataDir, 'spool')))
    if (segments.length === 0) return
    const loaded = await metric(service, 'tidemark_flusher_loaded_records_total')
    if (loaded > before) giveUpAt = Date.now() + PATIENCE_MS
    before = loaded
    if (Date.now() > giveUpAt) throw new Error(`${loaded} records are loaded, and still in the spool: ${segments}`)
    await sleep(ASK_EVERY_MS)
  }
}

/** Of several nodes, all together. */
export async function metric(service: Service, name: string): Promise<number> {
  let sum = 0
  for (const { url } of service.nodes) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
    if (value === undefined) throw new Error(`There is no metric ${name}.`)
    sum += Number(value)
  }
  return sum
}
