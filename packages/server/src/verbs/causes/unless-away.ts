/** Several questions to the stores for one answer: one that fails does not take the others down. */
import { AppError, ERROR_CODES } from '../../errors.ts'

/** The answer, or null when the log store is down, too slow or asked for too much; any other error is thrown. */
export async function unlessAway<Result>(
  asking: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | null> {
  try {
    return await asking
  } catch (error) {
    if (signal?.aborted !== true && error instanceof AppError && isPassing(error)) return null
    throw error
  }
}

function isPassing({ code }: AppError): boolean {
  return ERROR_CODES[code].retryable || code === 'query_too_large'
}
