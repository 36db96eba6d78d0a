/**
 * How long the service takes from its start to ready, and what both processes hold in memory when idle, empty and full.
 * `--records N` (default ten million), or `--data FOLDER` for a folder that is already full, which is kept.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { withCommas } from '../packages/wire/src/text/counted.ts'
import { loadRecords } from './load-records.ts'
import { type BenchResult, figure, numberAfter, textAfter } from './result.ts'
import { ServiceProcess } from './service-process.ts'

const RECORDS = 10_000_000
const START_BAR_S = 2
const MEMORY_BAR_MB = 450
const SETTLE_MS = 5_000

export async function start(args: string[]): Promise<BenchResult[]> {
  const full = textAfter(args, '--data')
  if (full !== undefined) return await measureFull(full, `with ${full}`, { keepData: true })
  const records = numberAfter(args, '--records') ?? RECORDS
  const first = await ServiceProcess.start()
  const { projectId } = first.createProject()
  const results = await measure(first, 'empty', { isFull: false })
  await first.stop({ keepData: true })
  await loadRecords(first.dataDir, projectId, records)
  const label = `with ${withCommas(records)} records`
  return [...results, ...(await measureFull(first.dataDir, label, { keepData: false }))]
}

async function measureFull(
  dataDir: string,
  label: string,
  { keepData }: { keepData: boolean },
): Promise<BenchResult[]> {
  const service = await ServiceProcess.start(dataDir)
  const results = await measure(service, label, { isFull: true })
  await service.stop({ keepData })
  return results
}

/** The bars are for a full store. */
async function measure(
  service: ServiceProcess,
  label: string,
  { isFull }: { isFull: boolean },
): Promise<BenchResult[]> {
  await sleep(SETTLE_MS)
  const usage = service.usage()
  const [ours, engines] = [usage.service.rssBytes / 1e6, usage.engine.rssBytes / 1e6]
  return [
    figure(`${label}: start to listening`, service.listeningAfterMs / 1_000, 's'),
    figure(`${label}: start to ready`, service.readyAfterMs / 1_000, 's', isFull ? START_BAR_S : null),
    figure(`${label}: idle memory of the service`, ours, 'MB'),
    figure(`${label}: idle memory of the engine`, engines, 'MB'),
    figure(`${label}: idle memory of both`, ours + engines, 'MB', isFull ? MEMORY_BAR_MB : null),
  ]
}
