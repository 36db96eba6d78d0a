/**
 * Fills empty stores from a backup. Every file is checked before anything is written. The control store comes last: until
 * then there is no project that anybody could ask for, or send to.
 */

import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '@tidemark/wire/parse-json'
import { withCommas } from '@tidemark/wire/text/counted'
import { dateOf } from '@tidemark/wire/time/instant'
import { DAY_MS } from '@tidemark/wire/time/units'
import { CONTROL_VERSION, TABLES, type TableName, type WrittenControl } from '../control/copy.ts'
import type { ControlRow } from '../control/database/database.ts'
import { AppError } from '../errors.ts'
import type { LogArchive } from '../logstore/open-archive.ts'
import { SCHEMA_VERSION } from '../logstore/schema/schema.ts'
import { firstIdAt } from '../model/id.ts'
import { copyPrivately, syncPath } from './file-content.ts'
import { type Manifest, newerBackup, type StoredFile } from './manifest.ts'
import type { BroughtFiles, KeptBackup } from './place.ts'

const ROWS_AT_ONCE = 500
/** Many times the longest row. A longer line is refused, because it would be held in memory. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024

export type RestoredDay = { day: number; records: number }

type RestoreParts = {
  backup: Pick<KeptBackup, 'name' | 'manifest'>
  files: BroughtFiles
  spoolFolder: string
  /** Null when it comes from a variable. */
  secretKeyPath: string | null
  writeControl(written: WrittenControl): Promise<Map<TableName, number>>
  /** Of empty stores, as everything here. */
  logs: LogArchive
  now?: () => number
  onProgress?: ((done: RestoredDay) => void) | undefined
}

/** Days whose records have begun to expire since: they are there, but may be fewer than in the backup already. */
export type Restored = { manifest: Manifest; records: number; expiring: number[] }

/** Refuses a backup of a newer version, and a manifest with tables that no version had. */
export function mustBeRestorable({ address, manifest }: Pick<KeptBackup, 'address' | 'manifest'>): void {
  const { version, controlVersion, schemaVersion, tables } = manifest
  if (controlVersion > CONTROL_VERSION || schemaVersion > SCHEMA_VERSION) throw newerBackup(address, version)
  const names = tables.map(({ table }) => table)
  const unknown = names.find((name) => !TABLES.some((table) => table === name))
  if (unknown !== undefined) throw damaged(`in ${address} `, `its manifest names the unknown table "${unknown}"`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw damaged(`in ${address} `, `its manifest names the table "${twice}" twice`)
}

function damaged(where: string, reason: string): AppError {
  return new AppError('invalid_request', `The backup ${where}is damaged: ${reason}. Restore another one.`)
}

export async function restoreBackup(parts: RestoreParts): Promise<Restored> {
  const { manifest } = parts.backup
  for (const { day, records, files } of manifest.days) {
    for (const file of files) await loadPart(parts, file)
    parts.onProgress?.({ day, records })
  }
  const expiring = await compareDays(parts, manifest)
  await restoreSpool(parts, manifest)
  await restoreSecretKey(parts, manifest)
  await restoreControl(parts, manifest)
  const records = manifest.days.reduce((sum, day) => sum + day.records, 0)
  return { manifest, records, expiring }
}

async function loadPart({ backup, files, logs }: RestoreParts, file: StoredFile): Promise<void> {
  await logs.load({ path: await files.take(file), name: `${backup.name}/${file.name}` })
  await files.release(file)
}

/** A record that is missing, doubled or another one changes the digest of its day. */
async function compareDays({ logs, now = Date.now }: RestoreParts, manifest: Manifest): Promise<number[]> {
  const today = Math.floor(now() / DAY_MS)
  const reader = logs.read({ before: firstIdAt('seg', Date.parse(manifest.moment)), spooled: [] })
  const expiring: number[] = []
  for (const { day, records, digest, firstExpiry } of manifest.days) {
    if (firstExpiry <= today) expiring.push(day)
    else {
      const found = await reader.digest(day)
      if (found.records === records && found.digest === digest) continue
      throw new AppError(
        'internal',
        `The records of ${dateOf(day)} are not those of the backup: ${withCommas(found.records)} instead of ${withCommas(records)}. Empty the stores and restore again.`,
      )
    }
  }
  return expiring
}

async function restoreSpool({ files, spoolFolder }: RestoreParts, { spool }: Manifest): Promise<void> {
  await mkdir(spoolFolder, { recursive: true, mode: 0o700 })
  for (const file of spool) {
    await copyPrivately(await files.take(file), join(spoolFolder, basename(file.name)))
    await files.release(file)
  }
  await syncPath(spoolFolder)
}

async function restoreControl(
  { files, writeControl, now = Date.now }: RestoreParts,
  manifest: Manifest,
): Promise<void> {
  const tables = new Map(manifest.tables.map(({ table, file }) => [table, file]))
  const laterMs = Math.max(0, now() - Date.parse(manifest.moment))
  const counts = await writeControl({
    version: manifest.controlVersion,
    rows: (table) => remembered(table, rowsOf(files, tables.get(table)), laterMs),
  })
  for (const { table, rows } of manifest.tables) {
    const written = counts.get(table as TableName) ?? 0
    if (written !== rows)
      throw new AppError(
        'internal',
        `The table ${table} has ${withCommas(written)} rows instead of ${withCommas(rows)}. Empty the stores and restore again.`,
      )
  }
}

/** What is forgotten after some time is needed for what waits in the spool, and that has waited as long as the backup. */
const FORGOTTEN: Partial<Record<TableName, string>> = { ingest_batches: 'claimed_at', counted_segments: 'counted_at' }

async function* remembered(
  table: TableName,
  pages: AsyncIterable<ControlRow[]>,
  laterMs: number,
): AsyncIterable<ControlRow[]> {
  const column = FORGOTTEN[table]
  for await (const rows of pages) {
    yield column === undefined ? rows : rows.map((row) => ({ ...row, [column]: Number(row[column]) + laterMs }))
  }
}

/** None of a table that the backup's version did not have. */
async function* rowsOf(files: BroughtFiles, file: StoredFile | undefined): AsyncIterable<ControlRow[]> {
  if (file === undefined) return
  let rows: ControlRow[] = []
  for await (const line of linesOf(file, await files.take(file))) {
    const row = parseJson(line)
    if (!isObject(row)) throw damaged('', `${file.name} has a line that is not a row`)
    rows.push(row as ControlRow)
    if (rows.length < ROWS_AT_ONCE) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
  await files.release(file)
}

/** Splits at line feeds only: a text may contain other line separators. Splits each chunk once, so long lines cost no more. */
async function* linesOf({ name }: StoredFile, path: string): AsyncIterable<string> {
  const text = pipeline(createReadStream(path), createGunzip(), () => {}).setEncoding('utf8')
  let line = ''
  for await (const chunk of text as AsyncIterable<string>) {
    const [end = '', ...more] = chunk.split('\n')
    line += end
    for (const next of more) {
      yield line
      line = next
    }
    if (line.length > MAX_LINE_CHARACTERS) {
      throw damaged('', `${name} has a line of more than ${withCommas(MAX_LINE_CHARACTERS)} characters`)
    }
  }
}

async function restoreSecretKey({ files, secretKeyPath }: RestoreParts, { secretKey }: Manifest): Promise<void> {
  if (secretKey === null || secretKeyPath === null) return
  await copyPrivately(await files.take(secretKey), secretKeyPath)
  await files.release(secretKey)
}
