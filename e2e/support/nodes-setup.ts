/** Once for a run in the shape of several nodes: the stores that all of them use. */
import type { TestProject } from 'vitest/node'
import { openEnginePort } from '../../packages/server/src/logstore/testing/engine-port.ts'
import { engineSocket, missingEngine, openTestStore } from '../../packages/server/src/logstore/testing/test-store.ts'
import { postgresUnavailable, startPostgres } from '../../packages/server/src/testing/postgres.ts'

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const missing = missingEngine ?? postgresUnavailable()
  if (missing !== undefined) throw new Error(`Several nodes need a log engine and PostgreSQL. ${missing}`)
  const postgres = await startPostgres()
  const engine = await openTestStore({ startMs: 120_000, silenceMs: 60_000 })
  const port = await openEnginePort(engineSocket(engine.dataDir))
  provide('sharedStores', { databaseServer: await postgres.createDatabase(), clickhouseUrl: port.url })
  return async () => {
    port.close()
    await engine.close()
    await postgres.stop()
  }
}
