/**
 * Makes a backup beside a running service. First what is in the spool is held, then the control store, then the log store is
 * read; a record goes from the spool into the log store, so none can slip through between them, and a segment that is
 * in the spool's copy is left out of the records, so none is there twice.
 */
import { dateOf } from '@tidemark/wire/time/instant'
import type { ReadControl, TableName } from '../control/copy.ts'
import { AppError } from '../errors.ts'
import type { DigestOfDay, LogArchiveReader } from '../logstore/archive/read-archive.ts'
import type { LogArchive } from '../logstore/open-archive.ts'
import { SCHEMA_VERSION } from '../logstore/schema/schema.ts'
import { firstIdAt } from '../model/id.ts'
import { zipped } from './file-content.ts'
import { backupName, type DayOfLogs, type Manifest, newManifest, SECRET_KEY_NAME, type StoredFile } from './manifest.ts'
import type { BackupPlace, UnfinishedBackup } from './place.ts'
import { holdSpool } from './spool-files.ts'

const TRIES_OF_A_DAY = 5

/** `reused`: it is the same as in the earlier backup. */
export type WrittenDay = { day: number; records: number; reused: boolean }

export type BackupParts = {
  place: BackupPlace
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

export type WrittenBackup = { address: string; manifest: Manifest; reusedDays: number }

type Earlier = { name: string; manifest: Manifest } | undefined

export async function writeBackup(parts: BackupParts): Promise<WrittenBackup> {
  const { place, now = Date.now } = parts
  const backup = await place.begin(backupName(now()))
  try {
    const earlier = await newestBackup(place)
    // After all that may take its time: what begins between the moment and the hold would be half in the backup.
    const { manifest, reusedDays } = await writeParts(parts, { momentMs: now(), backup, earlier })
    return { address: await backup.finish(manifest), manifest, reusedDays }
  } catch (error) {
    await backup.abandon()
    throw error
  }
}

async function writeParts(
  parts: BackupParts,
  { momentMs, backup, earlier }: { momentMs: number; backup: UnfinishedBackup; earlier: Earlier },
): Promise<Omit<WrittenBackup, 'address'>> {
  const held = await writeHeld(parts, backup)
  const reader = parts.logs.read({ before: firstIdAt('seg', momentMs), spooled: held.segments })
  const { days, reusedDays } = await writeLogs(reader, { backup, earlier, onProgress: parts.onProgress })
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
    secretKey: secretKey === null ? null : await backup.write(SECRET_KEY_NAME, [Buffer.from(`${secretKey}\n`)]),
  })
  return { manifest, reusedDays }
}

/**
 * What changes while it is read: both are held at the moment, within a few milliseconds of each other, and then copied. The
 * control store first, since its database keeps everything that is written meanwhile.
 */
async function writeHeld({ spoolFolder, readControl }: BackupParts, backup: UnfinishedBackup) {
  const spool = await holdSpool(spoolFolder)
  try {
    const control = await writeControlHeld(await readControl(), backup)
    const segments: StoredFile[] = []
    for (const { id, chunks } of spool.segments) {
      segments.push(await backup.write(`spool/${id}.seg`, chunks()))
    }
    return { spool: segments, segments: spool.segments.map(({ id }) => id), ...control }
  } finally {
    await spool.close()
  }
}

async function writeControlHeld(control: ReadControl, backup: UnfinishedBackup) {
  try {
    const tables: Manifest['tables'] = []
    for (const table of control.tables) tables.push(await writeTable(backup, control, table))
    await control.mustStillBeOfVersion()
    return { tables, controlVersion: control.version }
  } finally {
    await control.close()
  }
}

async function writeTable(
  backup: UnfinishedBackup,
  control: ReadControl,
  table: TableName,
): Promise<Manifest['tables'][number]> {
  let rows = 0
  async function* lines() {
    for await (const some of control.rows(table)) {
      rows += some.length
      yield some.map((row) => `${JSON.stringify(row)}\n`).join('')
    }
  }
  const file = await backup.write(`control/${table}.ndjson.gz`, zipped(lines()))
  return { table, rows, file }
}

/** A day that has the same records as in the earlier backup is taken over from there. */
async function writeLogs(
  reader: LogArchiveReader,
  { backup, earlier, onProgress }: { backup: UnfinishedBackup; earlier: Earlier } & Pick<BackupParts, 'onProgress'>,
): Promise<{ days: DayOfLogs[]; reusedDays: number }> {
  const days: DayOfLogs[] = []
  let reusedDays = 0
  for (const day of await reader.days()) {
    const digest = await reader.digest(day)
    const known = earlier?.manifest.days.find((one) => one.day === day && isSame(one, digest))
    const taken = earlier && known && (await backup.takeOver(earlier.name, known.files)) ? known : undefined
    const written = taken ?? (await writeDay(reader, day, { backup, digest }))
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
  { backup, digest }: { backup: UnfinishedBackup; digest: DigestOfDay },
): Promise<DayOfLogs> {
  let before = digest
  for (let left = TRIES_OF_A_DAY; left > 0; left--) {
    const files: StoredFile[] = []
    for await (const bytes of reader.parts(day)) {
      files.push(await backup.write(fileName(day, files.length), zipped([bytes])))
    }
    const after = await reader.digest(day)
    if (isSame(before, after)) return { day, ...after, files }
    await backup.forget(files)
    before = after
  }
  throw new AppError(
    'unavailable',
    `The records of ${dateOf(day)} changed each time they were read. Try again when nothing is being deleted.`,
  )
}

/**
 * Removes the oldest until `keep` are left. A place is told even when none is too many: a bucket then deletes what
 * backups that were cut off have left; a folder did so when the newest one began.
 */
export async function keepNewest(place: BackupPlace, keep: number): Promise<string[]> {
  const old = (await place.list()).slice(0, -keep)
  await place.remove(old)
  return old
}

async function newestBackup(place: BackupPlace): Promise<Earlier> {
  const newest = (await place.list()).at(-1)
  if (newest === undefined) return undefined
  // One that is damaged, or of another schema, is no help, and no reason not to make another.
  const earlier = await place.open(newest).catch(ignoreUnreadable)
  return earlier?.manifest.schemaVersion === SCHEMA_VERSION ? earlier : undefined
}

/** A place that cannot be reached is another matter. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof AppError && ['invalid_request', 'conflict', 'not_found'].includes(error.code)) return
  throw error
}

function isSame(known: Pick<DayOfLogs, 'records' | 'digest'>, found: Pick<DayOfLogs, 'records' | 'digest'>): boolean {
  return known.records === found.records && known.digest === found.digest
}

function fileName(day: number, at: number): string {
  return `logs/${dateOf(day)}/${String(at).padStart(5, '0')}.native.gz`
}
