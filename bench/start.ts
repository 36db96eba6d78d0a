/** How long the service takes from its start to ready, and what both processes hold in memory when idle, empty and full. */
import { setTimeout as sleep } from 'node:timers/promises'
import { loadRecords } from './load-records.ts'
import type { BenchResult } from './result.ts'
import { ServiceProcess } from './service-process.ts'

const RECORDS = 10_000_000
const START_BAR_S = 2
const MEMORY_BAR_MB = 450
const SETTLE_MS = 5_000

export async function start(args: string[]): Promise<BenchResult[]> {
  const at = args.indexOf('--records')
  const records = at === -1 ? RECORDS : Number(args[at + 1])
  const first = await ServiceProcess.start()
  const { projectId } = first.createProject()
  const results = await measure(first, 0, null)
  await first.stop({ keepData: true })

  await loadRecords(first.dataDir, projectId, records)
  const second = await ServiceProcess.start(first.dataDir)
  results.push(...(await measure(second, records, { start: START_BAR_S, memory: MEMORY_BAR_MB })))
  await second.stop()
  return results
}

async function measure(
  service: ServiceProcess,
  records: number,
  bars: { start: number; memory: number } | null,
): Promise<BenchResult[]> {
  await sleep(SETTLE_MS)
  const usage = service.usage()
  const memory = (usage.service.rssBytes + usage.engine.rssBytes) / 1e6
  const ready = service.readyAfterMs / 1_000
  const label = `with ${records.toLocaleString('en-US')} records`
  return [
    {
      name: `${label}: start to listening`,
      value: service.listeningAfterMs / 1_000,
      unit: 's',
      bar: null,
      holds: null,
    },
    {
      name: `${label}: start to ready`,
      value: ready,
      unit: 's',
      bar: bars?.start ?? null,
      holds: bars && ready <= bars.start,
    },
    {
      name: `${label}: idle memory of the service`,
      value: usage.service.rssBytes / 1e6,
      unit: 'MB',
      bar: null,
      holds: null,
    },
    {
      name: `${label}: idle memory of the engine`,
      value: usage.engine.rssBytes / 1e6,
      unit: 'MB',
      bar: null,
      holds: null,
    },
    {
      name: `${label}: idle memory of both`,
      value: memory,
      unit: 'MB',
      bar: bars?.memory ?? null,
      holds: bars && memory <= bars.memory,
    },
  ]
}
