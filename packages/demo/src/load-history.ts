import { setTimeout as sleep } from 'node:timers/promises'
import { countRecords, type Doors, sendBatch, sendDeploy, waitingBytes } from './doors.ts'
import { type Batch, ndjsonBatches } from './shop/batches.ts'
import type { Shop } from './shop/shop.ts'
import type { World } from './shop/world.ts'

const CONNECTIONS = 4
const RECORDS_PER_REQUEST = 1_000
const LOOK_EVERY_MS = 200
/**
 * The service would take everything at once into one segment of three weeks, and the engine reads a segment once for each
 * of its days. Sent no faster than it is loaded, a segment has a day or two.
 */
const MAX_WAITING_BYTES = 1_500_000

/**
 * Sends the whole history through the doors that everybody uses and resolves when all of it can be searched. The batches
 * and deploys have names, so that an interrupted load can be repeated and adds nothing twice.
 */
export async function loadHistory(
  doors: Doors,
  { deploys, records, world }: Pick<Shop, 'deploys' | 'records'> & { world: Pick<World, 'seed' | 'nowMs'> },
  onProgress: (sent: number, of: number) => void = () => {},
): Promise<void> {
  for (const deploy of deploys) await sendDeploy(doors, deploy)
  const pause = () => sleep(LOOK_EVERY_MS, undefined, { signal: doors.signal })
  let sent = 0
  const batches = ndjsonBatches(records, `shop-${world.seed}-${world.nowMs}`, RECORDS_PER_REQUEST)
  const connection = async () => {
    for (let batch = nextOf(batches); batch !== undefined; batch = nextOf(batches)) {
      while ((await waitingBytes(doors)) > MAX_WAITING_BYTES) await pause()
      await sendBatch(doors, batch)
      sent += batch.records
      onProgress(sent, records.length)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  // Records are durable now; they can be found a moment later.
  const span = { fromMs: Date.parse(records[0]?.timestamp ?? ''), toMs: world.nowMs + 1 }
  while ((await countRecords(doors, span)) < records.length) await pause()
}

function nextOf(batches: Generator<Batch>): Batch | undefined {
  const { done, value } = batches.next()
  return done ? undefined : value
}
