/** What a backup holds: every file with its size and checksum. It is written last, so what lacks it is not a backup. */
import { parseJson } from '@tidemark/wire/parse-json'
import { z } from 'zod'
import { AppError } from '../errors.ts'

export const MANIFEST = 'manifest.json'
/** Where the key is in a backup: part of the format, like the names of its folders. */
export const SECRET_KEY_NAME = 'secret.key'
const FORMAT = 1
/** Only below the backup's own folder, whatever a manifest says. */
const NAME = /^(control|logs|spool)(\/[A-Za-z0-9_][A-Za-z0-9_.-]*){1,2}$/
/** In the order of time when sorted. */
const BACKUP_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/
/** The checksum of a file. */
export const SHA256 = /^[0-9a-f]{64}$/

const storedFile = z.object({
  name: z.union([z.string().regex(NAME), z.literal(SECRET_KEY_NAME)]),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(SHA256),
})
const day = z.object({
  /** UTC, since 1970. */
  day: z.number().int().nonnegative(),
  records: z.number().int().nonnegative(),
  digest: z.string(),
  firstExpiry: z.number().int().nonnegative(),
  files: z.array(storedFile),
})
const manifest = z.object({
  format: z.literal(FORMAT),
  /** Of the service that made it. */
  version: z.string(),
  /** Everything that was acknowledged before is in the backup. */
  moment: z.iso.datetime(),
  controlVersion: z.number().int().positive(),
  schemaVersion: z.number().int().positive(),
  /** Tells whether a key is the one that this backup's secrets are encrypted with, and nothing else about it. */
  secretKeyCheck: z.string(),
  tables: z.array(z.object({ table: z.string(), rows: z.number().int().nonnegative(), file: storedFile })),
  days: z.array(day),
  spool: z.array(storedFile),
  /** Null when the key comes from a variable. */
  secretKey: storedFile.nullable(),
})

export type StoredFile = z.infer<typeof storedFile>
export type DayOfLogs = z.infer<typeof day>
export type Manifest = z.infer<typeof manifest>

export function newManifest(parts: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...parts }
}

export function backupName(momentMs: number): string {
  return new Date(momentMs).toISOString().replaceAll(/[:.]/g, '-')
}

export function isBackupName(name: string): boolean {
  return BACKUP_NAME.test(name)
}

export function filesOf({ tables, days, spool, secretKey }: Manifest): StoredFile[] {
  const keys = secretKey === null ? [] : [secretKey]
  return [...tables.map(({ file }) => file), ...days.flatMap(({ files }) => files), ...spool, ...keys]
}

export function manifestText(written: Manifest): string {
  return `${JSON.stringify(written, null, 2)}\n`
}

/** `where` is for the reader of the message: the backup, and its manifest. */
export function parseManifest(text: string, where: { backup: string; manifest: string }): Manifest {
  const read = manifest.safeParse(parseJson(text))
  if (read.success) return read.data
  const { format, version } = (parseJson(text) ?? {}) as { format?: unknown; version?: unknown }
  if (typeof format === 'number' && format > FORMAT) throw newerBackup(where.backup, version)
  throw new AppError(
    'invalid_request',
    `${where.manifest} is damaged: it does not describe a backup. Restore another one.`,
    {
      cause: read.error,
    },
  )
}

export function noBackup(address: string, cause?: unknown): AppError {
  const message = `There is no backup in ${address}: it has no ${MANIFEST}. Name a backup, or the place where they are kept.`
  return new AppError('not_found', message, { cause })
}

export function newerBackup(address: string, version: unknown): AppError {
  const named = typeof version === 'string' ? ` (${version})` : ''
  return new AppError(
    'conflict',
    `The backup in ${address} was made by a newer Tidemark${named}. Restore it with that version or a later one.`,
  )
}
