/** Several questions to the stores for one answer: a few at a time, and one that fails does not take the others down. */
import { AppError, ERROR_CODES } from '../../errors.ts'

/** A queue of its own for every answer; each question waits until one of `most` places is free. */
export function atMost(most: number): <Result>(ask: () => Promise<Result>) => Promise<Result> {
  let free = most
  const waiting: (() => void)[] = []
  return async (ask) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await ask()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** The answer, or null when the log store is away, too slow or asked for too much; any other fault is one. */
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
