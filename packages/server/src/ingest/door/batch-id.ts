import { BATCH_ID, BATCH_ID_IN_WORDS } from '@tidemark/wire/batch-id'
import { AppError } from '../../errors.ts'

/** The sender's name for a batch, from `X-Batch-Id` or `Idempotency-Key`: a repeated one is stored once. */
export function batchIdOf(headers: Record<string, string | string[] | undefined>): string | null {
  const given = headers['x-batch-id'] ?? headers['idempotency-key']
  if (given === undefined) return null
  if (typeof given === 'string' && BATCH_ID.test(given)) return given
  throw new AppError('invalid_request', `X-Batch-Id (or Idempotency-Key) is ${BATCH_ID_IN_WORDS} characters.`, {
    fields: [{ path: 'X-Batch-Id', message: BATCH_ID_IN_WORDS }],
  })
}
