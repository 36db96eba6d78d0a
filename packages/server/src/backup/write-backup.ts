/**
 * Makes a backup beside a running service. First what is in the spool is held, then the control store, then the log store is
 * read; a record goes from the spool into the log store, so none can slip through between them, and a segment that is
 * in the spool's copy is left out of the records, so none is there twice.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ReadControl, TABLES, type TableName } from '../control/copy.ts'
import type { LogArchiveReader } from '../logstore/archive/read-archive.ts'
import type { LogArchive } from '../logstore/open-archive.ts'
import { SCHEMA_VERSION } from '../logstore/schema/schema.ts'
import { firstIdAt } from '../model/id.ts'
import { syncPath, takeOver, writeStored, zipped } from './backup-files.ts'
import {
  type DayOfLogs,
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
    const taken = earlier && known && (await takeOver(earlier.path, folder, known.files)) ? known.files : undefined
    const files = taken ?? (await writeDay(reader, day, folder))
    if (taken) reusedDays++
    days.push({ day, ...digest, files })
    onProgress?.({ day, records: digest.records, reused: taken !== undefined })
  }
  return { days, reusedDays }
}

async function writeDay(reader: LogArchiveReader, day: number, folder: string): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for await (const bytes of reader.parts(day)) {
    files.push(await writeStored(folder, fileName(day, files.length), zipped([bytes])))
  }
  return files
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
  const manifest = await readManifest(path)
  // Records of another schema are written anew.
  return manifest.schemaVersion === SCHEMA_VERSION ? { path, manifest } : undefined
}

function isSame(known: DayOfLogs, found: Pick<DayOfLogs, 'records' | 'digest'>): boolean {
  return known.records === found.records && known.digest === found.digest
}

function fileName(day: number, at: number): string {
  const date = new Date(day * 86_400_000).toISOString().slice(0, 10)
  return `logs/${date}/${String(at).padStart(5, '0')}.native.gz`
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
