import { AppError } from '../../errors.ts'

const BATCH_ID = /^[A-Za-z0-9_.:-]{1,64}$/

/** The sender's name for a batch, from `X-Batch-Id` or `Idempotency-Key`: a repeated one is stored once. */
export function batchIdOf(headers: Record<string, string | string[] | undefined>): string | null {
  const given = headers['x-batch-id'] ?? headers['idempotency-key']
  if (given === undefined) return null
  if (typeof given === 'string' && BATCH_ID.test(given)) return given
  throw new AppError(
    'invalid_request',
    'X-Batch-Id (or Idempotency-Key) is 1 to 64 letters, digits and _ . : - characters.',
    {
      fields: [{ path: 'X-Batch-Id', message: '1 to 64 letters, digits and _ . : -' }],
    },
  )
}
