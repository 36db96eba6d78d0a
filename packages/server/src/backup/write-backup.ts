/**
 * Makes a backup beside a running service. First what is in the spool is held, then the control store, then the log store is
 * read; a record goes from the spool into the log store, so none can slip through between them, and a segment that is
 * in the spool's copy is left out of the records, so none is there twice.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ReadControl, TABLES, type TableName } from '../control/copy.ts'
import { AppError } from '../errors.ts'
import type { DigestOfDay, LogArchiveReader } from '../logstore/archive/read-archive.ts'
import type { LogArchive } from '../logstore/open-archive.ts'
import { SCHEMA_VERSION } from '../logstore/schema/schema.ts'
import { firstIdAt } from '../model/id.ts'
import { syncPath, takeOver, writeStored, zipped } from './backup-files.ts'
import {
  type DayOfLogs,
  dateOf,
  folderName,
  listBackups,
  MANIFEST,
  type Manifest,
  newManifest,
  readManifest,
  type StoredFile,
} from './manifest.ts'
import { holdSpool } from './spool-files.ts'

/** Not a backup until it is renamed. */
const UNFINISHED = '.unfinished-'
const TRIES_OF_A_DAY = 5

/** `reused`: it is the same as in the earlier backup. */
export type WrittenDay = { day: number; records: number; reused: boolean }

export type BackupParts = {
  /** Where backups are kept, one folder each. Nobody else may write one here meanwhile. */
  folder: string
  spoolFolder: string
  readControl(): Promise<ReadControl>
  logs: Pick<LogArchive, 'read'>
  /** Null when it comes from a variable. */
  secretKey: string | null
  secretKeyCheck: string
  version: string
  now?: () => number
  onProgress?: ((done: WrittenDay) => void) | undefined
}

export type WrittenBackup = { path: string; manifest: Manifest; reusedDays: number }

type Earlier = { path: string; manifest: Manifest } | undefined

export async function writeBackup(parts: BackupParts): Promise<WrittenBackup> {
  const { folder, now = Date.now } = parts
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeUnfinished(folder)
  const momentMs = now()
  const name = folderName(momentMs)
  const unfinished = join(folder, `${UNFINISHED}${name}`)
  try {
    const { manifest, reusedDays } = await writeParts(parts, {
      momentMs,
      unfinished,
      earlier: await newestBackup(folder),
    })
    const path = join(folder, name)
    await rename(unfinished, path)
    await syncPath(folder)
    return { path, manifest, reusedDays }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function writeParts(
  parts: BackupParts,
  { momentMs, unfinished, earlier }: { momentMs: number; unfinished: string; earlier: Earlier },
): Promise<Omit<WrittenBackup, 'path'>> {
  await mkdir(unfinished, { mode: 0o700 })
  const held = await writeHeld(parts, unfinished)
  const reader = parts.logs.read({ before: firstIdAt('seg', momentMs), spooled: held.segments })
  const { days, reusedDays } = await writeLogs(reader, { folder: unfinished, earlier, onProgress: parts.onProgress })
  const { secretKey } = parts
  const manifest = newManifest({
    version: parts.version,
    moment: new Date(momentMs).toISOString(),
    controlVersion: held.controlVersion,
    schemaVersion: SCHEMA_VERSION,
    secretKeyCheck: parts.secretKeyCheck,
    tables: held.tables,
    days,
    spool: held.spool,
    secretKey: secretKey === null ? null : await writeStored(unfinished, 'secret.key', [Buffer.from(`${secretKey}\n`)]),
  })
  await writeStored(unfinished, MANIFEST, [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)])
  await syncFolders(unfinished)
  return { manifest, reusedDays }
}

/** What changes while it is read: both are held at the moment, within a few milliseconds of each other, and then copied. */
async function writeHeld({ spoolFolder, readControl }: BackupParts, folder: string) {
  const spool = await holdSpool(spoolFolder)
  try {
    const control = await readControl()
    try {
      const segments: StoredFile[] = []
      for (const { id, chunks } of spool.segments) {
        segments.push(await writeStored(folder, `spool/${id}.seg`, chunks()))
      }
      const tables: Manifest['tables'] = []
      for (const table of TABLES) tables.push(await writeTable(folder, control, table))
      return {
        spool: segments,
        segments: spool.segments.map(({ id }) => id),
        tables,
        controlVersion: control.version,
      }
    } finally {
      await control.close()
    }
  } finally {
    await spool.close()
  }
}

async function writeTable(folder: string, control: ReadControl, table: TableName): Promise<Manifest['tables'][number]> {
  let rows = 0
  async function* lines() {
    for await (const some of control.rows(table)) {
      rows += some.length
      yield some.map((row) => `${JSON.stringify(row)}\n`).join('')
    }
  }
  const file = await writeStored(folder, `control/${table}.ndjson.gz`, zipped(lines()))
  return { table, rows, file }
}

/** A day that has the same records as in the earlier backup is taken over from there. */
async function writeLogs(
  reader: LogArchiveReader,
  { folder, earlier, onProgress }: { folder: string; earlier: Earlier } & Pick<BackupParts, 'onProgress'>,
): Promise<{ days: DayOfLogs[]; reusedDays: number }> {
  const days: DayOfLogs[] = []
  let reusedDays = 0
  for (const day of await reader.days()) {
    const digest = await reader.digest(day)
    const known = earlier?.manifest.days.find((one) => one.day === day && isSame(one, digest))
    const taken = earlier && known && (await takeOver(earlier.path, folder, known.files)) ? known : undefined
    const written = taken ?? (await writeDay(reader, day, { folder, digest }))
    if (taken) reusedDays++
    if (written.records > 0) days.push(written)
    onProgress?.({ day, records: written.records, reused: taken !== undefined })
  }
  return { days, reusedDays }
}

/** Records may expire, or a project be deleted, while its day is read: then it is read again. */
async function writeDay(
  reader: LogArchiveReader,
  day: number,
  { folder, digest }: { folder: string; digest: DigestOfDay },
): Promise<DayOfLogs> {
  let before = digest
  for (let left = TRIES_OF_A_DAY; left > 0; left--) {
    const files: StoredFile[] = []
    for await (const bytes of reader.parts(day)) {
      files.push(await writeStored(folder, fileName(day, files.length), zipped([bytes])))
    }
    const after = await reader.digest(day)
    if (isSame(before, after)) return { day, ...after, files }
    for (const { name } of files) await rm(join(folder, name))
    before = after
  }
  throw new AppError(
    'unavailable',
    `The records of ${dateOf(day)} changed each time they were read. Try again when nothing is being deleted.`,
  )
}

/** The oldest go until so many are left; files that later ones took over stay there. */
export async function keepNewest(folder: string, keep: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(0, -keep)
  for (const name of old) {
    // Renamed first, so that a half-deleted one is never taken for a backup.
    const unfinished = join(folder, `${UNFINISHED}${name}`)
    await rename(join(folder, name), unfinished)
    await rm(unfinished, { recursive: true })
  }
  return old
}

async function newestBackup(folder: string): Promise<Earlier> {
  const newest = (await listBackups(folder)).at(-1)
  if (newest === undefined) return undefined
  const path = join(folder, newest)
  // One that is damaged, or of another schema, is no help, and no reason not to make another.
  const manifest = await readManifest(path).catch(() => undefined)
  return manifest?.schemaVersion === SCHEMA_VERSION ? { path, manifest } : undefined
}

function isSame(known: Pick<DayOfLogs, 'records' | 'digest'>, found: Pick<DayOfLogs, 'records' | 'digest'>): boolean {
  return known.records === found.records && known.digest === found.digest
}

function fileName(day: number, at: number): string {
  return `logs/${dateOf(day)}/${String(at).padStart(5, '0')}.native.gz`
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true })
  }
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name))
  }
  await syncPath(folder)
}
