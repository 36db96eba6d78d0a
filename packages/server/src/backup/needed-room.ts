/** A disk that is too small is found before anything is fetched or written, not hours later. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { withCommas } from '@tidemark/wire/text/counted'
import { AppError } from '../errors.ts'
import type { KeptBackup } from './place.ts'

/** For what is written besides: indexes, journals, merges that have just begun. */
const RESERVE_BYTES = 64 * 1024 * 1024

/** What the engine may make of a backup's files, which are compressed for speed. */
const LEAST_OF_RECORDS = 0.5

/** What is kept in the data folder rather than on a server. */
type Stays = { logs: boolean; control: boolean }

/**
 * The least it can take: records lie in the store as small as in a backup or smaller, tables larger. Files that were brought
 * are deleted one by one as they are loaded, so the two hardly add up.
 */
export function neededBytes(
  { manifest, broughtBytes }: Pick<KeptBackup, 'manifest' | 'broughtBytes'>,
  stays: Stays,
): number {
  const sum = (files: { bytes: number }[]) => files.reduce((bytes, file) => bytes + file.bytes, 0)
  const stored =
    sum(manifest.spool) +
    (stays.logs ? LEAST_OF_RECORDS * sum(manifest.days.flatMap(({ files }) => files)) : 0) +
    (stays.control ? sum(manifest.tables.map(({ file }) => file)) : 0)
  return Math.max(stored, broughtBytes) + RESERVE_BYTES
}

export async function mustHaveRoom(dataDir: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(existingAbove(resolve(dataDir)))
  const free = bavail * bsize
  if (free >= needed) return
  throw new AppError(
    'storage_full',
    `There is not enough room in ${dataDir}: the backup needs at least ${mebibytes(needed)}, and ${mebibytes(free)} are free. Free some, or set TIDEMARK_DATA_DIR to a folder on a larger disk.`,
  )
}

export function existingAbove(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingAbove(dirname(path))
}

/** To the last one: what is needed and what is free must not read alike. */
function mebibytes(bytes: number): string {
  return `${withCommas(Math.ceil(bytes / 1024 ** 2))} MiB`
}
