import { AppError } from '../../errors.ts'
import { alreadyThere, databaseFailed } from './database.ts'

const BUSY = 5

/** The primary result code is the low byte; libsql has no name for some extended codes, but always gives the number. */
function primaryCode(error: unknown): number | undefined {
  const rawCode = error instanceof Error ? (error as Error & { rawCode?: unknown }).rawCode : undefined
  return typeof rawCode === 'number' ? rawCode & 0xff : undefined
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** `SQLITE_CONSTRAINT_…` extended codes that mean "there is one already". */
const UNIQUE = new Set([1555, 2067, 2579])

export function sqliteError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const cause = error
  switch (primaryCode(error)) {
    case BUSY:
    case 6: // LOCKED
      return new AppError(
        'unavailable',
        'Another process has been writing to the control database for too long. Try again in a moment.',
        { cause },
      )
    case 13: // FULL
      return new AppError('storage_full', 'The disk that holds the control database is full. Free space, then retry.', {
        cause,
      })
    case 8: // READONLY
    case 14: // CANTOPEN
    case 10: // IOERR
      return new AppError(
        'unavailable',
        'The control database file cannot be read or written. Check the data folder, its disk and its permissions.',
        { cause },
      )
    case 11: // CORRUPT
    case 26: // NOTADB
      return new AppError(
        'unavailable',
        'The control database file is damaged or not an SQLite database. Restore control.db from a backup.',
        { cause },
      )
    case 19: // CONSTRAINT
      if (UNIQUE.has((error as Error & { rawCode: number }).rawCode)) return alreadyThere(cause)
      return new AppError('internal', 'The control database refused a value. The server log says more.', { cause })
    default:
      return databaseFailed(cause)
  }
}
