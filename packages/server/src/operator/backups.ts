/** Backup, restore and move, as an operator asks for them: which stores, which place, and who else may be using them. */
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { syncPath } from '../backup/file-content.ts'
import { folderPlace } from '../backup/folder-place.ts'
import type { Manifest } from '../backup/manifest.ts'
import { backupFolder, findBackup, openPlace } from '../backup/named-place.ts'
import { mustHaveRoom, neededBytes } from '../backup/needed-room.ts'
import type { BroughtFiles, Fetched, KeptBackup } from '../backup/place.ts'
import { mustBeRestorable, type Restored, type RestoredDay, restoreBackup } from '../backup/restore-backup.ts'
import {
  type BackupParts,
  keepNewest,
  type WrittenBackup,
  type WrittenDay,
  writeBackup,
} from '../backup/write-backup.ts'
import { version } from '../built-file.ts'
import { type Config, loadBucketAccess } from '../config/config.ts'
import { checkControlEmpty, readControl, writeControl } from '../control/copy.ts'
import { AppError } from '../errors.ts'
import {
  claimDataFolder,
  DATA_FOLDER,
  type FolderWords,
  lockFolder,
  makeFolder,
  unfinishedRestore,
} from '../folder/data-folder.ts'
import {
  ADDRESS_FILE,
  BACKUP_LOCK_FILE,
  CONTROL_FILE,
  ENGINE_FOLDER,
  LOCK_FILE,
  PID_FILE,
  RESTORE_FOLDER,
  RESTORE_MARKER,
  SECRET_KEY_FILE,
  SPOOL_FOLDER,
} from '../folder/names.ts'
import { readSecretKey } from '../folder/secret-key.ts'
import { createLog } from '../log.ts'
import { type LogArchive, openArchive, openRunningArchive } from '../logstore/open-archive.ts'

/** Left behind by what claims a folder; not data. */
const CLAIM_FILES = new Set([ADDRESS_FILE, LOCK_FILE, PID_FILE])

const BACKUP_FOLDER: FolderWords = { noun: 'backup folder', otherwise: 'name another folder to keep backups in' }
const COPY_FOLDER: FolderWords = { noun: 'folder of the copy', otherwise: 'name another one with --through' }

type BackupOptions = { into: string; keep?: number | undefined; onProgress?: (done: WrittenDay) => void }
type RestoreOptions = {
  backup: string
  onFetched?: ((done: Fetched) => void) | undefined
  onProgress?: ((done: RestoredDay) => void) | undefined
}
type MoveOptions = { through?: string | undefined; onProgress?: (done: RestoredDay) => void }

type MadeBackup = WrittenBackup & { removed: string[] }

/** Beside a running service or without one. */
export async function backUp(config: Config, { into, keep, onProgress }: BackupOptions): Promise<MadeBackup> {
  const { dataDir } = config.storage
  const { place, lockedFolder } = openPlace(into, { dataDir, access: loadBucketAccess })
  mustHold(config)
  // Of backups in a bucket it is the data folder that is locked.
  const words = lockedFolder === dataDir ? DATA_FOLDER : BACKUP_FOLDER
  makeFolder(lockedFolder, words)
  const lock = lockFolder(
    lockedFolder,
    BACKUP_LOCK_FILE,
    () => `Another backup is under way, which holds ${join(lockedFolder, BACKUP_LOCK_FILE)}. Wait for it to end.`,
    words,
  )
  try {
    const source = await openSource(config)
    try {
      const written = await writeBackup({ place, ...source.parts, onProgress })
      return { ...written, removed: keep === undefined ? [] : await keepNewest(place, keep) }
    } finally {
      await source.close()
    }
  } finally {
    lock.close()
  }
}

/** Into stores that are empty. */
export async function restore(
  config: Config,
  { backup: given, onFetched, onProgress }: RestoreOptions,
): Promise<Restored> {
  const backup = await findBackup(given, loadBucketAccess)
  const { dataDir, databaseUrl, clickhouseUrl } = config.storage
  mustBeRestorable(backup)
  checkSecretKey(config, backup)
  mustBeEmpty(dataDir)
  const stays = { logs: clickhouseUrl === undefined, control: databaseUrl === undefined }
  await mustHaveRoom(dataDir, neededBytes(backup, stays))
  if (databaseUrl !== undefined) await checkControlEmpty(controlOptions(config))
  if (clickhouseUrl !== undefined) await checkLogsEmpty(config)
  const isNew = !existsSync(dataDir)
  const workFolder = join(dataDir, RESTORE_FOLDER)
  const claim = claimDataFolder(dataDir)
  // From here on until everything is there, the service does not start on it.
  const marker = join(dataDir, RESTORE_MARKER)
  try {
    writeFileSync(marker, `${backup.address}\n`, { mode: 0o600, flush: true })
    let files: BroughtFiles
    try {
      files = await backup.bring(workFolder, onFetched)
    } catch (error) {
      await rm(isNew ? dataDir : workFolder, { recursive: true, force: true })
      rmSync(marker, { force: true })
      throw error
    }
    const restored = await fillStores(config, { backup, files, onProgress })
    await rm(workFolder, { recursive: true })
    await syncPath(dataDir)
    rmSync(marker)
    return restored
  } finally {
    claim.release()
  }
}

type Filled = { backup: KeptBackup; files: BroughtFiles } & Pick<RestoreOptions, 'onProgress'>

async function fillStores(config: Config, { backup, files, onProgress }: Filled): Promise<Restored> {
  const { dataDir } = config.storage
  const logs = await openArchive(logOptions(config))
  try {
    // Once more: fetching may have taken hours.
    await mustHaveNoRecords(logs)
    return await restoreBackup({
      backup,
      files,
      spoolFolder: join(dataDir, SPOOL_FOLDER),
      secretKeyPath: config.accounts.secretKey === undefined ? join(dataDir, SECRET_KEY_FILE) : null,
      writeControl: (written) => writeControl(controlOptions(config), written),
      logs,
      onProgress,
    })
  } finally {
    await logs.close()
  }
}

/** An embedded one is in the data folder, and empty like it. */
async function checkLogsEmpty(config: Config): Promise<void> {
  const logs = await openArchive(logOptions(config))
  try {
    await mustHaveNoRecords(logs)
  } finally {
    await logs.close()
  }
}

async function mustHaveNoRecords(logs: Pick<LogArchive, 'isEmpty'>): Promise<void> {
  if (await logs.isEmpty()) return
  throw new AppError('conflict', 'The log store already has records. Restore into an empty one.')
}

/** Everything from the stores of one configuration into the empty ones of another. The old ones stay as they are. */
export async function move(from: Config, to: Config, { through, onProgress }: MoveOptions): Promise<Restored> {
  if (resolve(from.storage.dataDir) === resolve(to.storage.dataDir))
    throw new AppError(
      'invalid_request',
      'The target needs a data folder of its own: set another TIDEMARK_DATA_DIR there.',
    )
  mustHold(from)
  mustBeEmpty(to.storage.dataDir)
  const folder = backupFolder(through ?? `${resolve(to.storage.dataDir)}.moving`, from.storage.dataDir)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new AppError('conflict', `${folder} is not empty. Name another folder with --through, or empty it.`)
  makeFolder(folder, COPY_FOLDER)
  // What arrives in between would be left behind.
  const claim = claimDataFolder(from.storage.dataDir)
  try {
    const source = await openParts(from)
    let made: WrittenBackup
    try {
      made = await writeBackup({ place: folderPlace(folder), ...source.parts })
    } finally {
      await source.close()
    }
    const restored = await restore(to, { backup: made.address, onProgress })
    await rm(folder, { recursive: true })
    return restored
  } finally {
    claim.release()
  }
}

export async function checkBackupAt(given: string): Promise<{ address: string; manifest: Manifest }> {
  const backup = await findBackup(given, loadBucketAccess)
  mustBeRestorable(backup)
  await backup.check()
  return { address: backup.address, manifest: backup.manifest }
}

type Source = { parts: Omit<BackupParts, 'place'>; close(): Promise<void> }

/** The engine of a running service is used beside it; one that is not running is started here, and nobody else starts it. */
async function openSource(config: Config): Promise<Source> {
  const { dataDir, clickhouseUrl } = config.storage
  if (clickhouseUrl !== undefined) return await openParts(config)
  const claim = claimUnlessRunning(dataDir)
  if (claim === undefined) return await openParts(config, openRunningArchive(dataDir))
  try {
    const parts = await openParts(config)
    return {
      parts: parts.parts,
      async close() {
        await parts.close()
        claim.release()
      },
    }
  } catch (error) {
    claim.release()
    throw error
  }
}

async function openParts(config: Config, running?: ReturnType<typeof openRunningArchive>): Promise<Source> {
  const { dataDir } = config.storage
  const { secretKey } = config.accounts
  const key = secretKey ?? readSecretKey(dataDir)
  const logs = running ?? (await openArchive(logOptions(config)))
  return {
    parts: {
      spoolFolder: join(dataDir, SPOOL_FOLDER),
      readControl: () => readControl(controlOptions(config)),
      logs,
      secretKey: secretKey === undefined ? key : null,
      secretKeyCheck: checkOf(key),
      version: version(),
    },
    close: logs.close,
  }
}

/** In a wrong folder a backup would be made of nothing, and look like one. */
function mustHold({ storage: { dataDir, databaseUrl, clickhouseUrl }, accounts: { secretKey } }: Config): void {
  if (existsSync(join(dataDir, RESTORE_MARKER))) throw unfinishedRestore(dataDir)
  const expected = [
    ...(databaseUrl === undefined ? [CONTROL_FILE] : []),
    ...(clickhouseUrl === undefined ? [ENGINE_FOLDER] : []),
    ...(secretKey === undefined ? [SECRET_KEY_FILE] : []),
  ]
  const missing = expected.find((name) => !existsSync(join(dataDir, name)))
  if (missing === undefined) return
  throw new AppError(
    'not_found',
    `There is nothing to back up in ${dataDir}: it has no ${missing}. Set TIDEMARK_DATA_DIR to the data folder of the service.`,
  )
}

function claimUnlessRunning(dataDir: string): ReturnType<typeof claimDataFolder> | undefined {
  try {
    return claimDataFolder(dataDir)
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined
    throw error
  }
}

function controlOptions({ storage: { databaseUrl, dataDir } }: Config) {
  return { databaseUrl, dataDir }
}

function logOptions({ storage: { clickhouseUrl, clickhouseCluster, dataDir } }: Config) {
  const clickhouse = clickhouseUrl === undefined ? null : { url: clickhouseUrl, cluster: clickhouseCluster ?? null }
  return { clickhouse, dataDir, log: createLog('warn') }
}

function mustBeEmpty(dataDir: string): void {
  if (!existsSync(dataDir)) return
  if (existsSync(join(dataDir, RESTORE_MARKER))) throw unfinishedRestore(dataDir)
  if (readdirSync(dataDir).every((name) => CLAIM_FILES.has(name))) return
  throw new AppError(
    'conflict',
    `The data folder ${dataDir} is not empty. Restore into a new one: set TIDEMARK_DATA_DIR to a folder in ${dirname(resolve(dataDir))} that does not exist yet.`,
  )
}

/** Credentials of repositories are encrypted with the key: under another one they could never be read again. */
function checkSecretKey({ accounts: { secretKey } }: Config, { manifest, addressOf }: KeptBackup): void {
  if (secretKey === undefined && manifest.secretKey === null)
    throw new AppError(
      'invalid_request',
      'The backup was made with TIDEMARK_SECRET_KEY, and does not hold it. Set the same one.',
    )
  if (secretKey === undefined || checkOf(secretKey) === manifest.secretKeyCheck) return
  const where = manifest.secretKey === null ? '' : `: it is in ${addressOf(manifest.secretKey)}`
  throw new AppError('invalid_request', `TIDEMARK_SECRET_KEY is not the key of the backup. Set the same one${where}.`)
}

function checkOf(secretKey: string): string {
  return createHmac('sha256', secretKey).update('tidemark backup').digest('hex')
}
