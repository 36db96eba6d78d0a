/**
 * A thread that has just started encodes many times slower than later, until its code is compiled. So it first encodes
 * some made-up records, while nobody waits for it.
 */

import type { SequenceSource } from '../../logstore/schema/log-id.ts'
import { NO_REDACTION_CHANGES } from '../../redaction/settings.ts'
import { encodeBatch } from './encode-batch.ts'

/** A third of a second on a slow core; fewer leave half of the slowness. */
const ROUNDS = 200
const COPIES = 5

const STACK = `TypeError: Cannot read properties of undefined (reading 'id')
    at total (/srv/shop/src/cart.ts:41:17)
    at async Server.checkout (/srv/shop/src/checkout.ts:112:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`

const RECORDS = [
  { level: 'info', message: 'GET /api/orders/81723 200 in 12 ms', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
  { level: 'debug', message: 'cache miss for key user:5f1d7e2a-1c9b-4c5e-9a57-0d6c5a1f2b3c', host: 'web-1.internal' },
  {
    level: 'warn',
    message: 'retrying in 250 ms: connection to 10.1.2.3:5432 refused',
    attributes: { 'db.system': 'postgresql', attempt: 3, pool: { size: 10, isFull: true }, tags: ['a', 'b'] },
  },
  {
    level: 'error',
    message: "Cannot read properties of undefined (reading 'id')",
    error: { type: 'TypeError', stack: STACK },
  },
  {
    level: 'info',
    message: 'signed in with Authorization: Bearer abcdefghijklmnop',
    attributes: { password: 'secret' },
  },
  { level: 'info', message: '{"event":"paid","amount":12.5,"currency":"EUR"}', service: 'payments', release: '1.2.3' },
]

/** How many records were encoded. */
export function warmUp(sequence: SequenceSource, nowMs = Date.now()): number {
  const records = RECORDS.map((record, at) => ({ ...record, timestamp: new Date(nowMs - at).toISOString() }))
  const body = Buffer.from(
    records
      .map((record) => JSON.stringify(record))
      .join('\n')
      .concat('\n')
      .repeat(COPIES),
  )
  let encoded = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { accepted } = encodeBatch(
      {
        body,
        contentType: 'application/x-ndjson',
        contentEncoding: '',
        receivedUs: nowMs * 1_000,
        projectId: 'prj_warm_up',
        project: { defaultEnvironment: 'production', retentionDays: 30 },
        redaction: NO_REDACTION_CHANGES,
      },
      sequence,
    )
    encoded += accepted
  }
  return encoded
}
