/** Sample records as segment files, and the bare engine loading them: the yardstick for ingest, and the way to a full store. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeBatch } from '../packages/server/src/ingest/encode/encode-batch.ts'
import { createLog } from '../packages/server/src/log.ts'
import { createStore } from '../packages/server/src/logstore/clickhouse-store.ts'
import { openEmbedded } from '../packages/server/src/logstore/engine/open-embedded.ts'
import { findEngineRuntime } from '../packages/server/src/logstore/engine/runtime.ts'
import type { LogStore, Segment } from '../packages/server/src/logstore/log-store.ts'
import { SequenceSource } from '../packages/server/src/logstore/schema/log-id.ts'
import { NO_REDACTION_CHANGES } from '../packages/server/src/redaction/settings.ts'
import { ndjsonBodies } from './benchmark-records.ts'

const RECORDS_PER_REQUEST = 1_000
const RECORDS_PER_SEGMENT = 50_000
const PROJECT = { defaultEnvironment: 'production', retentionDays: 30 }

const sequence = new SequenceSource()

/** Fills the store of a stopped service. */
export async function loadRecords(dataDir: string, projectId: string, records: number): Promise<void> {
  const store = await openStore(dataDir)
  try {
    for (let made = 0; made < records; made += RECORDS_PER_SEGMENT) {
      const bodies = ndjsonBodies(Math.min(RECORDS_PER_SEGMENT, records - made), RECORDS_PER_REQUEST, made + 1)
      for (const segment of encodeSegments(bodies, join(dataDir, 'bench'), projectId, made)) {
        await store.load(segment)
        rmSync(segment.path)
      }
    }
  } finally {
    await store.close()
  }
}

async function openStore(dataDir: string): Promise<LogStore> {
  const runtime = findEngineRuntime()
  if (typeof runtime === 'string') throw new Error(runtime)
  return createStore(await openEmbedded({ runtime, dataDir, log: createLog('silent') }))
}

/** Encoding is not counted: the figure is what the engine alone can load. */
export async function bareEngineRate(bodies: Buffer[], dataDir: string): Promise<number> {
  const store = await openStore(dataDir)
  try {
    const segments = encodeSegments(bodies, join(dataDir, 'bench'), 'prj_bench', 0)
    const records = segments.flatMap(({ days }) => days).reduce((sum, day) => sum + day.records, 0)
    const startedAt = performance.now()
    for (const segment of segments) await store.load(segment)
    return records / ((performance.now() - startedAt) / 1_000)
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function encodeSegments(bodies: Buffer[], folder: string, projectId: string, firstNumber: number): Segment[] {
  mkdirSync(folder, { recursive: true })
  const perSegment = RECORDS_PER_SEGMENT / RECORDS_PER_REQUEST
  return Array.from({ length: Math.ceil(bodies.length / perSegment) }, (_, at) => {
    const batches = bodies.slice(at * perSegment, (at + 1) * perSegment).map((body) => encode(body, projectId))
    const id = `seg_bench_${firstNumber}_${at}`
    const path = join(folder, `${id}.seg`)
    const rows = Buffer.concat(batches.map((batch) => batch.rows))
    writeFileSync(path, rows)
    const days = new Map<number, number>()
    for (const batch of batches) for (const [day, count] of batch.days) days.set(day, (days.get(day) ?? 0) + count)
    return { id, path, bytes: rows.length, days: [...days].map(([day, records]) => ({ day, records })) }
  })
}

function encode(body: Buffer, projectId: string) {
  const input = { body, contentType: 'application/x-ndjson', contentEncoding: '', receivedUs: Date.now() * 1_000 }
  return encodeBatch({ ...input, projectId, project: PROJECT, redaction: NO_REDACTION_CHANGES }, sequence)
}
