import { AppError } from '../errors.ts'

/** The refusal; any other error is one of the test. */
export function thrownBy(act: () => unknown): AppError {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}
