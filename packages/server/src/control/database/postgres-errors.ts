import pg from 'pg'
import { AppError } from '../../errors.ts'
import { alreadyThere, databaseFailed } from './database.ts'

/** SQLSTATE of a statement that gave up waiting for a lock. */
const LOCK_NOT_AVAILABLE = '55P03'

export function isLockTimeout(error: unknown): boolean {
  return error instanceof AppError && sqlState(error.cause) === LOCK_NOT_AVAILABLE
}

/** True when the connection itself can no longer be trusted and must not go back into the pool. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || state.startsWith('08') || state.startsWith('57P')
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

export function postgresError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const cause = error
  const state = sqlState(error)
  switch (state) {
    // The driver gives its own failures (refused, reset, timed out) no dependable code: whatever the server did not say
    // itself is a connection that does not work.
    case undefined:
      return new AppError(
        'unavailable',
        'The control database cannot be reached. Check that PostgreSQL runs, then retry.',
        { cause },
      )
    case '23505':
      return alreadyThere(cause)
    case '53100':
      return new AppError('storage_full', "The control database's disk is full. Free space on it, then retry.", {
        cause,
      })
    case '25006':
      return new AppError(
        'unavailable',
        'The control database is a read-only replica. Point TIDEMARK_DATABASE_URL at the primary.',
        { cause },
      )
    case '28000':
    case '28P01':
    case '3D000':
    case '42501':
      return new AppError(
        'unavailable',
        'The control database refused the connection. Check user, password, database and rights in TIDEMARK_DATABASE_URL.',
        { cause },
      )
    case '57014':
    case '40001':
    case '40P01':
    case LOCK_NOT_AVAILABLE:
      return new AppError('unavailable', 'The control database is too busy to answer in time. Try again in a moment.', {
        cause,
      })
  }
  // Connection failures, lack of resources, a server that is starting or stopping, trouble with its disk.
  if (['08', '53', '57', '58'].includes(state.slice(0, 2))) {
    return new AppError('unavailable', 'The control database is not ready. Try again in a moment.', { cause })
  }
  return databaseFailed(cause)
}
