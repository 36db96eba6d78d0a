import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { engineRows } from './support/service/engine-query.ts'
import { createProject, type TestProject } from './support/service/ingest-project.ts'
import { type Service, startService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'
import { Witness } from './support/service/witness.ts'

const CONNECTIONS = 4
const RECORDS_PER_BATCH = 25

let service: Service
let watched: TestProject
let quiet: TestProject
let witness: Witness

beforeAll(async () => {
  service = await startService()
  watched = await createProject(service, 'watched')
  quiet = await createProject(service, 'quiet')
})

describe('a stop by SIGTERM while records arrive', () => {
  it('ends cleanly and answers what it has taken', async () => {
    witness = new Witness({
      url: () => service.url,
      ingestKey: watched.ingestKey,
      recordsPerBatch: RECORDS_PER_BATCH,
      withBatchIds: true,
    })
    expect(await sendNamedBatch()).toBe(200)
    witness.start(CONNECTIONS)
    while (witness.acknowledgedBatches < 40) await sleep(20)
    expect(await service.stop()).toEqual({ code: 0, signal: null })
    const { 200: acknowledged = 0, 'no answer': unanswered = 0, ...others } = witness.statuses
    expect(others).toEqual({})
    expect(acknowledged).toBeGreaterThanOrEqual(40)
    // Each connection is refused once and then tries again; nobody was cut off in the middle more often than that.
    expect(unanswered).toBeGreaterThan(0)
  })

  it('loses and doubles nothing, although unanswered batches are sent again after the next start', async () => {
    service = await startService({ dataDir: service.dataDir })
    const before = witness.acknowledgedBatches
    while (witness.acknowledgedBatches < before + 20) await sleep(20)
    await witness.stop()
    // Which unanswered batches had been taken is not known, so the empty spool has to say it.
    await settled(service)
    const verdict = await witness.verdict(service.dataDir, watched.id)
    expect(verdict).toEqual({
      acknowledged: witness.acknowledgedBatches * RECORDS_PER_BATCH,
      stored: witness.acknowledgedBatches * RECORDS_PER_BATCH,
      lost: 0,
      doubled: 0,
      partial: 0,
    })
  })

  it('does not make it forget which batches it has', async () => {
    expect(await sendNamedBatch()).toBe(200)
    await settled(service)
    const sql = `SELECT message, toUInt32(count()) AS records FROM logs WHERE project = '${quiet.id}' GROUP BY message`
    expect(await engineRows(service.dataDir, sql)).toEqual([{ message: 'a batch with a name', records: 1 }])
  })
})

async function sendNamedBatch(): Promise<number> {
  const response = await fetch(`${service.url}/v1/logs`, {
    method: 'POST',
    headers: { 'x-api-key': quiet.ingestKey, 'content-type': 'application/json', 'x-batch-id': 'named' },
    body: '{"message":"a batch with a name"}',
  })
  return response.status
}
