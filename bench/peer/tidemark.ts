/** Tidemark as one of the stores that are compared. */
import { askApi, type Filled } from '../query/ask.ts'
import { merged } from '../query/filled.ts'
import { NDJSON } from '../send.ts'
import { folderBytes, ServiceProcess } from '../service-process.ts'
import type { Store } from './store.ts'

export async function openTidemark(): Promise<Store> {
  const process = await ServiceProcess.start()
  const service: Filled = { process, ...process.createProject() }
  const asks = (path: string) => () => askApi(service, path)
  return {
    door: { url: process.url, key: service.ingestKey, contentType: NDJSON },
    ask: {
      newest: asks('/api/logs?limit=100'),
      token: asks('/api/logs?limit=100&query=checkout'),
      histogram: asks('/api/logs/count?bucket=15m&groupBy=level'),
      tokenCount: asks('/api/logs/count?query=checkout'),
      byService: asks('/api/logs/count?groupBy=service'),
    },
    async found() {
      const { total } = (await askApi(service, '/api/logs/count?from=-7d')) as { total: number }
      return total
    },
    settled: () => merged(service),
    usage() {
      const { service: own, engine } = process.usage()
      return { cpuSeconds: own.cpuSeconds + engine.cpuSeconds, rssBytes: own.rssBytes + engine.rssBytes }
    },
    diskBytes: () => folderBytes(`${process.dataDir}/engine/database`),
    stop: () => process.stop(),
  }
}
