import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import { type Doors, sendBatch, sendDeploy } from './doors.ts'
import { ndjsonBatches } from './shop/batches.ts'
import type { LiveShop } from './shop/live-shop.ts'

const WRITE_EVERY_MS = 1_000
/** After a laptop slept, the missed time is not filled in. */
const MAX_CATCH_UP_MS = 10 * MINUTE_MS
const RECORDS_PER_REQUEST = 5_000

/** Writes what the shop logs from `fromMs` on, as time passes, and ships the live deploy when it is due. Ends with the signal. */
export async function writeLive(
  doors: Doors,
  shop: LiveShop,
  { fromMs, onDeploy }: { fromMs: number; onDeploy: (() => void) | null },
): Promise<void> {
  let isDeployed = onDeploy === null
  for (let writtenMs = fromMs; ; await sleep(WRITE_EVERY_MS, undefined, { signal: doors.signal })) {
    const nowMs = Date.now()
    if (!isDeployed && nowMs >= shop.deploy.atMs) {
      await sendDeploy(doors, shop.deploy)
      isDeployed = true
      onDeploy?.()
    }
    const span = { fromMs: Math.max(writtenMs, nowMs - MAX_CATCH_UP_MS), toMs: nowMs }
    const name = `shop-live-${span.fromMs}-${span.toMs}`
    for (const batch of ndjsonBatches(shop.recordsOf(span), name, RECORDS_PER_REQUEST)) await sendBatch(doors, batch)
    writtenMs = nowMs
  }
}
