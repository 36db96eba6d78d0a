/**
 * The data folder belongs to one running service (Invariant 10). The claim is a lock of the operating system (held by
 * SQLite on a separate file), not a pid file: it ends with the process, however that ends, and can never be stale.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { AppError } from '../errors.ts'
import { ADDRESS_FILE, LOCK_FILE, PID_FILE, PROBE_FILE, RESTORE_MARKER } from './names.ts'

export type ServiceAddresses = { publicUrl: string; ingestUrl: string; mcpUrl: string }

type DataFolder = {
  readonly path: string
  /** For commands that print addresses: they may run with another configuration than the service. */
  announce(addresses: ServiceAddresses): void
  release(): void
}

const PROBE_BYTES = 64 * 1024
/** A command reads the lock for far less than this; a service holds it for as long as it runs. */
const LOCK_TIMEOUT_MS = 250

export function claimDataFolder(path: string): DataFolder {
  makeFolder(path)
  try {
    probe(join(path, PROBE_FILE))
  } catch (error) {
    throw folderError(path, error)
  }
  const lock = lockFolder(path, LOCK_FILE, () => inUse(path))
  if (existsSync(join(path, RESTORE_MARKER))) {
    lock.close()
    throw unfinishedRestore(path)
  }
  try {
    writeFileSync(join(path, PID_FILE), `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    lock.close()
    throw folderError(path, error)
  }
  return {
    path,
    announce(addresses) {
      writeFileSync(join(path, ADDRESS_FILE), JSON.stringify(addresses), { mode: 0o600 })
    },
    release() {
      rmSync(join(path, ADDRESS_FILE), { force: true })
      lock.close()
    },
  }
}

/**
 * The service that uses the folder, found by its lock: an address that a crash left behind is not used. Null without one. Its
 * addresses are null until it listens.
 */
export function runningService(path: string): { addresses: ServiceAddresses | null } | null {
  if (!existsSync(join(path, LOCK_FILE)) || !isLocked(join(path, LOCK_FILE))) return null
  try {
    return { addresses: JSON.parse(readFileSync(join(path, ADDRESS_FILE), 'utf8')) as ServiceAddresses }
  } catch {
    return { addresses: null }
  }
}

/** Reads instead of locking, so that a service that starts at this moment only has to wait for a moment. */
function isLocked(file: string): boolean {
  let database: Database.Database | undefined
  try {
    database = new Database(file, { timeout: 0 })
    database.prepare('SELECT count(*) FROM sqlite_master').get()
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'SQLITE_BUSY'
  } finally {
    database?.close()
  }
}

/** Really writes: a full or read-only disk must be found before anybody is promised anything. */
function probe(path: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    const written = writeSync(file, Buffer.alloc(PROBE_BYTES, 1))
    if (written !== PROBE_BYTES) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
    fsyncSync(file)
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
}

/** What a folder is called in a message, and what helps if it cannot be mended. */
export type FolderWords = { noun: string; otherwise: string }

export const DATA_FOLDER: FolderWords = { noun: 'data folder', otherwise: 'set TIDEMARK_DATA_DIR to another folder' }

/** With all folders above it. */
export function makeFolder(path: string, words = DATA_FOLDER): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw folderError(path, error, words)
  }
}

/** The lock ends when it is closed, or with the process. */
export function lockFolder(folder: string, name: string, inUse: () => string, words = DATA_FOLDER): { close(): void } {
  const path = join(folder, name)
  let database: Database.Database | undefined
  try {
    // Made here, because SQLite would make it readable by everyone.
    closeSync(openSync(path, 'a', 0o600))
    database = new Database(path, { timeout: LOCK_TIMEOUT_MS })
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw folderError(folder, error, words)
    throw new AppError('conflict', inUse(), { cause: error })
  }
}

function inUse(folder: string): string {
  return `The data folder ${folder} is in use by another running Tidemark${ownerOf(folder)}: stop that one, or set TIDEMARK_DATA_DIR to another folder.`
}

function ownerOf(folder: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(join(folder, PID_FILE), 'utf8'), 10)})`
  } catch {
    return ''
  }
}

/** Of one that is still under way, too. */
export function unfinishedRestore(folder: string): AppError {
  return new AppError(
    'unavailable',
    `A restore into the data folder ${folder} has not finished. Wait for it, or empty the folder and restore again, or set TIDEMARK_DATA_DIR to another folder.`,
  )
}

function folderError(path: string, error: unknown, { noun, otherwise }: FolderWords = DATA_FOLDER): AppError {
  return new AppError('unavailable', `The ${noun} ${path} ${folderTrouble(error)}, or ${otherwise}.`, { cause: error })
}

/** Describes a failed access to a folder, in words that follow its name. */
export function folderTrouble(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return FOLDER_ERRORS[code] ?? `cannot be used (${code || 'unknown error'})`
}

const FOLDER_ERRORS: Record<string, string> = {
  EACCES: 'is not writable by this user: change its owner or mode',
  EPERM: 'is not writable by this user: change its owner or mode',
  EROFS: 'is on a read-only file system: mount it writable',
  ENOSPC: 'is on a full disk: free some space',
  EDQUOT: 'is over its disk quota: free some space',
  EISDIR: 'holds a folder where a file belongs: remove it',
  ENOTDIR: 'is not a folder: remove the file in its place',
  EEXIST: 'is not a folder: remove the file in its place',
}
