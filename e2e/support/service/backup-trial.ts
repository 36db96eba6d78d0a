/** A backup of a service that is being written to, and what must be in it: the same wherever backups are kept. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { DAY_MS } from '../../../packages/wire/src/time/units.ts'
import { get, sendDeploy } from '../clients/reading-api.ts'
import { engineRows } from './engine-query.ts'
import type { TestProject } from './ingest-project.ts'
import type { Environment } from './processes.ts'
import { type CommandResult, type Service, startService, tidemark } from './service.ts'
import { settled } from './settled.ts'
import { Witness } from './witness.ts'

/** `leastBatches`: acknowledged before the first backup is asked for. */
type Load = { recordsPerBatch: number; connections: number; pauseMs: number; leastBatches: number }

const LIGHT: Load = { recordsPerBatch: 50, connections: 2, pauseMs: 0, leastBatches: 20 }
const YESTERDAY = 300

type Made = { path: string; records: number; days: number; reusedDays: number; removed: string[] }
export type BackupTrial = {
  first: Made
  second: Made
  /** Batches that were acknowledged before the first backup was asked for. */
  before: string[]
  recordsPerBatch: number
  /** Acknowledged while the first backup was made. */
  recordsPerSecond: number
}

/** `place`: where backups are kept, which has none yet. */
export async function backUpUnderLoad(
  service: Service,
  project: TestProject,
  { place, env = {}, load = LIGHT }: { place: string; env?: Environment; load?: Load },
): Promise<BackupTrial> {
  await send(service, project, yesterday())
  await sendDeploy(service, project, {
    sha: 'a'.repeat(40),
    environment: 'production',
    deployedAt: new Date().toISOString(),
  })
  await settled(service)
  const { recordsPerBatch, connections, pauseMs, leastBatches } = load
  const witness = new Witness({
    url: () => service.url,
    ingestKey: project.ingestKey,
    recordsPerBatch,
    pauseMs,
    withBatchIds: true,
  })
  witness.start(connections)
  onTestFinished(() => witness.abandon())
  while (witness.acknowledgedBatches < leastBatches) await sleep(20)
  const before = witness.acknowledged()
  const backUp = async (): Promise<Made> =>
    (await succeeding(['backup', place, '--json'], { dataDir: service.dataDir, env })).json()
  const startedAt = performance.now()
  const first = await backUp()
  const seconds = (performance.now() - startedAt) / 1_000
  const recordsPerSecond = Math.round(((witness.acknowledgedBatches - before.length) * recordsPerBatch) / seconds)
  await witness.stop()
  await settled(service)
  const second = await backUp()
  expect(first).toMatchObject({ reusedDays: 0, removed: [] })
  expect(second).toMatchObject({ reusedDays: 1, removed: [] })
  expect(second.records).toBe(YESTERDAY + witness.acknowledgedBatches * recordsPerBatch)
  return { first, second, before, recordsPerBatch, recordsPerSecond }
}

/** A restored copy has every record that was acknowledged before the moment of the backup, once. */
export async function expectWhole(
  dataDir: string,
  project: TestProject,
  { before, recordsPerBatch }: BackupTrial,
): Promise<void> {
  const copy = await startService({ dataDir })
  await settled(copy)
  const rows = await engineRows<{ batch: string; records: number; distinct: number }>(
    dataDir,
    `SELECT trace_id AS batch, toUInt32(count()) AS records, toUInt32(uniqExact(message)) AS distinct FROM logs WHERE trace_id != '' GROUP BY batch`,
  )
  const found = new Map(rows.map(({ batch, ...counts }) => [batch, counts]))
  const whole = { records: recordsPerBatch, distinct: recordsPerBatch }
  expect(before.filter((batch) => found.get(batch)?.records !== whole.records)).toEqual([])
  for (const [batch, counts] of found) expect({ batch, ...counts }).toEqual({ batch, ...whole })
  const [day] = await engineRows(dataDir, `SELECT toUInt32(count()) AS records FROM logs WHERE trace_id = ''`)
  expect(day).toEqual({ records: YESTERDAY })

  const counted = await get(copy, project.readKey, '/api/logs/count', { from: '-3d', query: 'service:checkout' })
  expect(counted.body).toMatchObject({ total: YESTERDAY })
  const { body } = await get(copy, project.readKey, '/api/deploys', { from: '-7d' })
  expect(body.deploys.map(({ sha }: { sha: string }) => sha)).toEqual(['a'.repeat(40)])
  await copy.stop()
}

/** Prints nothing to standard error but what the engine logs. */
export async function succeeding(
  args: string[],
  options: { dataDir: string; env?: Environment },
): Promise<CommandResult> {
  const result = await tidemark(args, options)
  expect(result.stderr.replaceAll(/^\{.*\}\n/gm, '')).toBe('')
  expect(result.code).toBe(0)
  return result
}

function yesterday(): string {
  const time = new Date(Date.now() - DAY_MS).toISOString()
  const lines = Array.from({ length: YESTERDAY }, (_, number) =>
    JSON.stringify({
      time,
      message: `yesterday ${number} “quoted” \u2028 🙂`,
      level: number % 10 === 0 ? 'error' : 'info',
      environment: 'production',
      service: 'checkout',
      'http.status': 500 + (number % 3),
    }),
  )
  return lines.join('\n')
}

async function send({ url }: Service, { ingestKey }: TestProject, body: string): Promise<void> {
  const headers = { Authorization: `Bearer ${ingestKey}`, 'Content-Type': 'application/x-ndjson' }
  expect((await fetch(`${url}/v1/logs`, { method: 'POST', headers, body })).status).toBe(200)
}
