/**
 * Backups in a bucket: `<name>/manifest.json` for each, and the files of all of them as `files/<SHA-256>`, so that what two
 * have in common is sent and kept once. A manifest is written after everything it names.
 */
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import { damaged, isSameContent, readContent, writeContent } from '../file-content.ts'
import {
  filesOf,
  isBackupName,
  MANIFEST,
  type Manifest,
  manifestText,
  noBackup,
  parseManifest,
  SHA256,
  type StoredFile,
} from '../manifest.ts'
import type { BackupPlace, BroughtFiles, KeptBackup, UnfinishedBackup } from '../place.ts'
import { type Bucket, causeOf } from './bucket.ts'
import type { BucketAddress } from './bucket-address.ts'
import { textBody } from './signed-request.ts'
import { withStaged } from './staged-file.ts'
import { upload } from './upload.ts'

/** For this long, a file that no manifest names may belong to a backup that is still being written elsewhere. */
export const SPARED_MS = 24 * HOUR_MS
/** Requests that are under way together while a backup is fetched or deleted. */
const AT_ONCE = 4
/** The names of backups begin with their year, and nothing else here begins like it. */
const FIRST_DIGIT_OF_NAMES = '2'

type Parts = {
  bucket: Bucket
  prefix: string
  /** What is being sent takes its room here, one file at a time. */
  stagingFolder: string
  partBytes?: number | undefined
}

export function bucketPlace(parts: Parts): BackupPlace {
  const { bucket, prefix } = parts
  const address = addressOf({ bucket: bucket.name, prefix })
  return {
    address,
    list: () => listNames(parts),
    open: (name) => openKept(parts, name),
    begin: (name) => beginKept(parts, name),
    async remove(names) {
      for (const name of names) await bucket.remove(manifestKey(prefix, name))
      await sweep(parts, names)
    },
  }
}

export function addressOf({ bucket, prefix }: BucketAddress): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '')
}

function manifestKey(prefix: string, name: string): string {
  return `${prefix}${name}/${MANIFEST}`
}

function fileKey(prefix: string, sha256: string): string {
  return `${prefix}files/${sha256}`
}

async function listNames({ bucket, prefix }: Parts): Promise<string[]> {
  const { all } = await bucket.list(`${prefix}${FIRST_DIGIT_OF_NAMES}`)
  const names = all.flatMap(({ key }) => {
    const [manifest, name = ''] = key.split('/').reverse()
    return manifest === MANIFEST && isBackupName(name) && key === manifestKey(prefix, name) ? [name] : []
  })
  return names.sort()
}

async function openKept({ bucket, prefix }: Parts, name: string): Promise<KeptBackup> {
  const address = `${addressOf({ bucket: bucket.name, prefix })}/${name}`
  const text = await bucket.getText(manifestKey(prefix, name))
  if (text === undefined) throw noBackup(address)
  const manifest = parseManifest(text, { backup: address, manifest: `${address}/${MANIFEST}` })
  const files = filesOf(manifest)
  const addressOfFile = ({ sha256 }: StoredFile) => `s3://${bucket.name}/${fileKey(prefix, sha256)}`
  const damage = (file: StoredFile) =>
    damaged(
      addressOfFile(file),
      'Use another backup, and delete this object, so that the next one does not take it over.',
    )
  const ofBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    name,
    address,
    manifest,
    broughtBytes: ofBytes,
    addressOf: addressOfFile,
    check: () =>
      several(files, async (file) => {
        const content = await bucket.get(fileKey(prefix, file.sha256), readContent)
        if (content === undefined || !isSameContent(content, file)) throw damage(file)
      }),
    async bring(workFolder, onFetched) {
      await mkdir(workFolder, { mode: 0o700 })
      let bytes = 0
      const pathOf = ({ name: path }: StoredFile) => join(workFolder, path.replaceAll('/', '_'))
      await several(files, async (file) => {
        const content = await bucket.get(fileKey(prefix, file.sha256), (chunks) => writeFile(pathOf(file), chunks))
        if (content === undefined || !isSameContent(content, file)) throw damage(file)
        bytes += content.bytes
        onFetched?.({ bytes, ofBytes })
      })
      return { take: async (file) => pathOf(file), release: (file) => rm(pathOf(file)) } satisfies BroughtFiles
    },
  }
}

async function writeFile(path: string, chunks: AsyncIterable<Buffer>) {
  const file = await open(path, 'w', 0o600)
  try {
    return await writeContent(file, chunks)
  } finally {
    await file.close()
  }
}

async function beginKept(parts: Parts, name: string): Promise<UnfinishedBackup> {
  const { bucket, prefix, stagingFolder, partBytes } = parts
  const known = await sizesOfFiles(parts)
  const isKept = ({ bytes, sha256 }: Pick<StoredFile, 'bytes' | 'sha256'>) => known.get(sha256) === bytes
  return {
    write: (file, chunks) =>
      withStaged(stagingFolder, chunks, async (staged) => {
        const { bytes, sha256 } = staged
        if (!isKept(staged)) await upload(bucket, fileKey(prefix, sha256), staged, partBytes)
        known.set(sha256, bytes)
        return { name: file, bytes, sha256 }
      }),
    takeOver: async (_, files) => files.every(isKept),
    forget: async () => {},
    async finish(manifest) {
      await mustAllBeThere(parts, manifest)
      await bucket.put(manifestKey(prefix, name), textBody(manifestText(manifest)))
      return `${addressOf({ bucket: bucket.name, prefix })}/${name}`
    },
    // What was sent is there for the next attempt, and `sweep` removes it if there is none.
    abandon: async () => {},
  }
}

async function sizesOfFiles({ bucket, prefix }: Parts): Promise<Map<string, number>> {
  const { all } = await bucket.list(fileKey(prefix, ''))
  return new Map(all.map(({ key, bytes }) => [shaIn(key), bytes]))
}

/** Another backup, with `--keep`, may have deleted what this one took over. */
async function mustAllBeThere(parts: Parts, manifest: Manifest): Promise<void> {
  const sizes = await sizesOfFiles(parts)
  const missing = filesOf(manifest).find(({ bytes, sha256 }) => sizes.get(sha256) !== bytes)
  if (missing === undefined) return
  throw new AppError(
    'conflict',
    `${fileKey(parts.prefix, missing.sha256)} was deleted from the bucket while the backup was made. Make it again, and only one at a time.`,
  )
}

/**
 * Deletes files that no manifest names, and ends uploads that nobody goes on with, once both are old. The manifests of
 * `removed` backups are gone already.
 */
async function sweep(parts: Parts, removed: readonly string[]): Promise<void> {
  const { bucket, prefix } = parts
  // First what is there, then who needs it: what comes in between is needed and not on the list.
  const { all, atMs } = await bucket.list(fileKey(prefix, ''))
  const needed = new Set<string>()
  for (const name of await listNames(parts)) {
    const kept = await openKept(parts, name).catch((error) => undefinedIfUnreadable(error, name, removed))
    for (const { sha256 } of kept === undefined ? [] : filesOf(kept.manifest)) needed.add(sha256)
  }
  const old = all.filter(
    ({ key, changedMs }) => isFileOf(prefix, key) && !needed.has(shaIn(key)) && atMs - changedMs > SPARED_MS,
  )
  await several(old, ({ key }) => bucket.remove(key))
  const uploads = await bucket.listUploads(fileKey(prefix, '')).catch(ignoreNotOffered)
  for (const { key, uploadId, begunMs } of uploads?.all ?? []) {
    if (uploads && isFileOf(prefix, key) && uploads.atMs - begunMs > SPARED_MS) await bucket.abortUpload(key, uploadId)
  }
}

/** Others may keep things in the same bucket, and in a folder of the same name. */
function isFileOf(prefix: string, key: string): boolean {
  return SHA256.test(shaIn(key)) && key === fileKey(prefix, shaIn(key))
}

/** One that was just deleted needs nothing; of one that cannot be understood nobody knows what it needs. */
function undefinedIfUnreadable(error: unknown, name: string, removed: readonly string[]): undefined {
  if (!(error instanceof AppError) || causeOf(error) !== undefined) throw error
  if (error.code === 'not_found') return
  const done = removed.length === 0 ? 'No file was deleted' : 'The oldest backups are deleted, but their files stay'
  throw new AppError(
    'conflict',
    `${done}, because the backup ${name} cannot be understood, and may need any of them. Delete it, or let the version that made it delete old ones.`,
    { cause: error },
  )
}

/** Not every server lists them, and not every key may. */
function ignoreNotOffered(error: unknown): undefined {
  if (![403, 404, 405, 501].includes(causeOf(error)?.status ?? 0)) throw error
}

function shaIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

/** Some at a time. The first failure is thrown once none is under way any more. */
async function several<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const rest = all.values()
  const failures: unknown[] = []
  const worker = async () => {
    for (const one of rest) {
      if (failures.length > 0) return
      try {
        await work(one)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (failures.length > 0) throw failures[0]
}
