/** Backup, restore and move, as an operator asks for them: which stores, which folder, and who else may be using them. */
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { syncPath } from './backup/backup-files.ts'
import { listBackups, MANIFEST, type Manifest } from './backup/manifest.ts'
import {
  checkBackup,
  type Restored,
  type RestoredDay,
  restoreBackup,
  restoreSecretKey,
} from './backup/restore-backup.ts'
import {
  type BackupParts,
  keepNewest,
  type WrittenBackup,
  type WrittenDay,
  writeBackup,
} from './backup/write-backup.ts'
import { version } from './built-file.ts'
import type { Config } from './config.ts'
import { checkControlEmpty, readControl, writeControl } from './control/copy.ts'
import { claimDataFolder, lockFolder, RESTORE_MARKER } from './data-folder.ts'
import { AppError } from './errors.ts'
import { createLog } from './log.ts'
import { openArchive, openRunningArchive } from './logstore/open-archive.ts'

const SPOOL = 'spool'
/** Left behind by what claims a folder; not data. */
const CLAIM_FILES = new Set(['tidemark.lock', 'tidemark.pid'])

type BackupOptions = { folder: string; keep?: number | undefined; onProgress?: (done: WrittenDay) => void }
type RestoreOptions = { backup: string; onProgress?: ((done: RestoredDay) => void) | undefined }
type MoveOptions = { through?: string | undefined; onProgress?: (done: RestoredDay) => void }

export type MadeBackup = WrittenBackup & { removed: string[] }

/** Beside a running service or without one. */
export async function backUp(config: Config, { folder: given, keep, onProgress }: BackupOptions): Promise<MadeBackup> {
  const folder = backupFolder(given, config.storage.dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(
    folder,
    'backup.lock',
    () => `Another backup into ${folder} is under way. Wait for it to end.`,
  )
  try {
    const source = await openSource(config)
    try {
      const written = await writeBackup({ folder, ...source.parts, onProgress })
      return { ...written, removed: keep === undefined ? [] : await keepNewest(folder, keep) }
    } finally {
      await source.close()
    }
  } finally {
    lock.close()
  }
}

/** Into stores that are empty. */
export async function restore(config: Config, { backup, onProgress }: RestoreOptions): Promise<Restored> {
  const folder = await findBackup(backup)
  const { dataDir } = config.storage
  const manifest = await checkBackup(folder)
  checkSecretKey(config, manifest, folder)
  mustBeEmpty(dataDir)
  const options = controlOptions(config)
  if (config.storage.databaseUrl !== undefined) await checkControlEmpty(options)
  const claim = claimDataFolder(dataDir)
  const marker = join(dataDir, RESTORE_MARKER)
  try {
    const logs = await openArchive(logOptions(config))
    try {
      if (!(await logs.isEmpty()))
        throw new AppError('conflict', 'The log store already has records. Restore into an empty one.')
      writeFileSync(marker, `${folder}\n`, { mode: 0o600, flush: true })
      const restored = await restoreBackup({
        folder,
        manifest,
        spoolFolder: join(dataDir, SPOOL),
        workFolder: join(dataDir, 'restore'),
        writeControl: (written) => writeControl(options, written),
        logs,
        onProgress,
      })
      if (config.accounts.secretKey === undefined) await restoreSecretKey(folder, manifest, join(dataDir, 'secret.key'))
      await syncPath(dataDir)
      rmSync(marker)
      return restored
    } finally {
      await logs.close()
    }
  } finally {
    claim.release()
  }
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
  // What arrives in between would be left behind.
  const claim = claimDataFolder(from.storage.dataDir)
  try {
    const source = await openParts(from)
    let made: WrittenBackup
    try {
      made = await writeBackup({ folder, ...source.parts })
    } finally {
      await source.close()
    }
    const restored = await restore(to, { backup: made.path, onProgress })
    await rm(folder, { recursive: true })
    return restored
  } finally {
    claim.release()
  }
}

export async function checkBackupAt(backup: string): Promise<{ path: string; manifest: Manifest }> {
  const path = await findBackup(backup)
  return { path, manifest: await checkBackup(path) }
}

/** A backup, or the newest in a folder of them. */
async function findBackup(given: string): Promise<string> {
  const folder = localFolder(given)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new AppError('not_found', `There is no folder ${folder}.`)
  if ((await readdir(folder)).includes(MANIFEST)) return folder
  const newest = (await listBackups(folder)).at(-1)
  if (newest === undefined) throw new AppError('not_found', `There is no complete backup in ${folder}.`)
  return join(folder, newest)
}

type Source = { parts: Omit<BackupParts, 'folder'>; close(): Promise<void> }

/** The engine of a running service is used beside it; one that is not running is started here, and nobody else starts it. */
async function openSource(config: Config): Promise<Source> {
  const { dataDir, clickhouseUrl } = config.storage
  mustHold(config)
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
  const key = secretKey ?? readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
  const logs = running ?? (await openArchive(logOptions(config)))
  return {
    parts: {
      spoolFolder: join(dataDir, SPOOL),
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
  if (existsSync(join(dataDir, RESTORE_MARKER)))
    throw new AppError('conflict', `A restore into ${dataDir} is under way or did not finish.`)
  const expected = [
    ...(databaseUrl === undefined ? ['control.db'] : []),
    ...(clickhouseUrl === undefined ? ['engine'] : []),
    ...(secretKey === undefined ? ['secret.key'] : []),
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

function backupFolder(given: string, dataDir: string): string {
  const folder = localFolder(given)
  const inside = relative(resolve(dataDir), folder)
  if (inside === '' || !(inside.startsWith('..') || resolve(inside) === inside))
    throw new AppError(
      'invalid_request',
      `${folder} is in the data folder. Keep backups outside, best on another disk.`,
    )
  return folder
}

function localFolder(given: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given))
    throw new AppError(
      'invalid_request',
      `Backups are kept in folders, and ${given.split('/')[0]} is not one. Mount the bucket, or copy the folder there with the tool of its provider.`,
    )
  return resolve(given)
}

function mustBeEmpty(dataDir: string): void {
  if (!existsSync(dataDir)) return
  if (existsSync(join(dataDir, RESTORE_MARKER)))
    throw new AppError(
      'conflict',
      `An earlier restore into ${dataDir} did not finish. Empty the folder and restore again.`,
    )
  if (readdirSync(dataDir).every((name) => CLAIM_FILES.has(name))) return
  throw new AppError(
    'conflict',
    `The data folder ${dataDir} is not empty. Restore into a new one: set TIDEMARK_DATA_DIR to a folder in ${dirname(resolve(dataDir))} that does not exist yet.`,
  )
}

/** Credentials of repositories are encrypted with the key: under another one they could never be read again. */
function checkSecretKey({ accounts: { secretKey } }: Config, manifest: Manifest, folder: string): void {
  if (secretKey === undefined && manifest.secretKey === null)
    throw new AppError(
      'invalid_request',
      'The backup was made with TIDEMARK_SECRET_KEY, and does not hold it. Set the same one.',
    )
  if (secretKey === undefined || checkOf(secretKey) === manifest.secretKeyCheck) return
  const where = manifest.secretKey === null ? '' : `: it is in ${join(folder, manifest.secretKey.name)}`
  throw new AppError('invalid_request', `TIDEMARK_SECRET_KEY is not the key of the backup. Set the same one${where}.`)
}

function checkOf(secretKey: string): string {
  return createHmac('sha256', secretKey).update('tidemark backup').digest('hex')
}
