/** Several questions to the stores for one answer: one that fails does not take the others down. */
import { AppError, isRetryable } from '../../errors.ts'

/** The answer, or null when the log store is down, too slow or asked for too much; any other error is thrown. */
export async function unlessAway<Result>(
  asking: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | null> {
  try {
    return await asking
  } catch (error) {
    if (signal?.aborted !== true && isPassing(error)) return null
    throw error
  }
}

function isPassing(error: unknown): boolean {
  return isRetryable(error) || (error instanceof AppError && error.code === 'query_too_large')
}
