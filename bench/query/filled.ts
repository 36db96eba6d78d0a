/** A service over so many records that its engine has merged and has nothing else to do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { loadRecords } from '../load-records.ts'
import { ServiceProcess } from '../service-process.ts'
import { type Filled, rowsOf } from './ask.ts'

const MERGE_TIMEOUT_MS = 600_000
const QUIET_LOOKS = 10

export async function filled(records: number): Promise<Filled> {
  const empty = await ServiceProcess.start()
  const keys = empty.createProject()
  await empty.stop({ keepData: true })
  await loadRecords(empty.dataDir, keys.projectId, records)
  const service = { process: await ServiceProcess.start(empty.dataDir), ...keys }
  await merged(service)
  return service
}

/** Until the engine has merged what was loaded: quiet figures need a quiet engine. */
export async function merged(service: Filled): Promise<void> {
  await quiet(async () => {
    const [row] = await rowsOf<{ running: string }>(service, 'SELECT count() AS running FROM system.merges')
    return Number(row?.running) > 0
  })
}

/** Until a store was not busy for some time, or for ten minutes. */
export async function quiet(isBusy: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + MERGE_TIMEOUT_MS
  for (let looks = 0; looks < QUIET_LOOKS && performance.now() < until; ) {
    await sleep(1_000)
    looks = (await isBusy()) ? 0 : looks + 1
  }
}

/** What the records take on disk once merged, without the parts that are about to go. */
export async function settledBytes(service: Filled): Promise<number> {
  await merged(service)
  const [row] = await rowsOf<{ bytes: string }>(
    service,
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active',
  )
  return Number(row?.bytes)
}
