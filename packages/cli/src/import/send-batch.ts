import type { LogsAnswer } from '@tidemark/wire/logs'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { Connection } from '../client/connection.ts'
import { packed } from '../client/packed.ts'
import { isSuccess, refused } from '../client/refused.ts'
import { type Answer, type Retrying, request } from '../client/request.ts'
import type { Batch, Problem } from './batches.ts'

export type Stored = { accepted: number; rejected: Problem[] }
export type SendOptions = Retrying & { signal?: AbortSignal }

const RETRYING: Retrying = { patienceMs: 5 * MINUTE_MS, attemptMs: 120_000 }

/** Resolves when every record is on the service's disk or refused with a reason. Throws when neither is known. */
export async function sendBatch(connection: Connection, batch: Batch, options: SendOptions = {}): Promise<Stored> {
  if (batch.records.length === 0) return { accepted: 0, rejected: batch.problems }
  const answer = await post(connection, batch, options)
  const told = answer.body as Partial<LogsAnswer> | undefined
  if (Array.isArray(told?.rejected) && typeof told.accepted === 'number') {
    const rejected = told.rejected.map(({ index, reason }) => ({ line: batch.lines[index] ?? 0, reason }))
    return { accepted: told.accepted, rejected: [...batch.problems, ...rejected] }
  }
  if (isSuccess(answer) || ![400, 413, 422].includes(answer.status))
    throw refused(answer, 'The records were not stored.')
  // Something in it makes the whole request unacceptable: it is found by halving, so that only it is lost.
  if (batch.records.length === 1) {
    const reason = refused(answer, '').message.trim()
    return { accepted: 0, rejected: [...batch.problems, { line: batch.lines[0] ?? 0, reason }] }
  }
  const [first, second] = halves(batch)
  const one = await sendBatch(connection, first, options)
  const other = await sendBatch(connection, second, options)
  return { accepted: one.accepted + other.accepted, rejected: [...one.rejected, ...other.rejected] }
}

async function post({ url, key }: Connection, { id, records }: Batch, options: SendOptions): Promise<Answer> {
  const { body, headers } = await packed(`${records.join('\n')}\n`)
  const { signal, ...retrying } = options
  return request(
    {
      method: 'POST',
      url: `${url}/v1/logs`,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/x-ndjson',
        'X-Batch-Id': id,
        ...headers,
      },
      body,
      ...(signal && { signal }),
    },
    { ...RETRYING, ...retrying },
  )
}

function halves({ id, records, lines, problems, endOffset }: Batch): [Batch, Batch] {
  const middle = Math.ceil(records.length / 2)
  return [
    { id: `${id}0`, records: records.slice(0, middle), lines: lines.slice(0, middle), problems, endOffset },
    { id: `${id}1`, records: records.slice(middle), lines: lines.slice(middle), problems: [], endOffset },
  ]
}
