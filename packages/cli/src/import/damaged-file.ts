import { BATCH_MEMORY_HOURS } from '@tidemark/wire/batch-id'
import { ClientError } from '../client/client-error.ts'

/** A file that cannot be read to its end. The same beginning gives the same batches, so what was sent of it may come again. */
export function damagedFile(what: string, cause?: unknown): ClientError {
  const cure = `Get the whole file and import it again: what was stored already is not stored twice within ${BATCH_MEMORY_HOURS} hours.`
  return new ClientError('invalid_request', `${what} ${cure}`, { cause })
}
