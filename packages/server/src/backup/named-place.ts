/** Where backups are, as an operator names it: a folder or a bucket, or one backup in it. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import { AppError } from '../errors.ts'
import { folderPlace } from './folder-place.ts'
import { isBackupName, MANIFEST } from './manifest.ts'
import type { BackupPlace, KeptBackup } from './place.ts'
import { openBucket } from './s3/bucket.ts'
import { isBucketAddress, parseBucketAddress } from './s3/bucket-address.ts'
import { bucketPlace } from './s3/bucket-place.ts'
import type { BucketAccess } from './s3/signed-request.ts'

/** A backup, or the newest in a place of them. */
export async function findBackup(given: string, access: () => BucketAccess): Promise<KeptBackup> {
  const { place, name } = isBucketAddress(given) ? namedInBucket(given, access()) : await namedInFolder(given)
  const found = name ?? (await place.list()).at(-1)
  if (found === undefined)
    throw new AppError(
      'not_found',
      `There is no complete backup in ${place.address}. Name the place that backups were made in.`,
    )
  return await place.open(found)
}

type Named = { place: BackupPlace; name: string | undefined }

async function namedInFolder(given: string): Promise<Named> {
  const folder = localFolder(given)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new AppError('not_found', `There is no folder ${folder}: check the path.`)
  if ((await readdir(folder)).includes(MANIFEST)) return { place: folderPlace(dirname(folder)), name: basename(folder) }
  return { place: folderPlace(folder), name: undefined }
}

function namedInBucket(given: string, access: BucketAccess): Named {
  const { bucket, prefix } = parseBucketAddress(given)
  const name = prefix.split('/').at(-2)
  if (name === undefined || !isBackupName(name)) return { place: inBucket({ access, bucket, prefix }), name: undefined }
  return { place: inBucket({ access, bucket, prefix: prefix.slice(0, -name.length - 1) }), name }
}

/** Only one backup at a time is written there: the lock is in the place itself, or beside what is copied. */
export function openPlace(
  given: string,
  { dataDir, access }: { dataDir: string; access: () => BucketAccess },
): { place: BackupPlace; lockedFolder: string } {
  if (isBucketAddress(given)) {
    const { bucket, prefix } = parseBucketAddress(given)
    return { place: inBucket({ access: access(), bucket, prefix, stagingFolder: dataDir }), lockedFolder: dataDir }
  }
  const folder = backupFolder(given, dataDir)
  return { place: folderPlace(folder), lockedFolder: folder }
}

type InBucket = { access: BucketAccess; bucket: string; prefix: string; stagingFolder?: string }

function inBucket({ access, bucket, prefix, stagingFolder = '' }: InBucket): BackupPlace {
  return bucketPlace({ bucket: openBucket(access, bucket), prefix, stagingFolder })
}

export function backupFolder(given: string, dataDir: string): string {
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
      `Backups are kept in folders and in buckets (s3://…), and ${given.split('/')[0]} is neither. Mount it, or copy a folder there.`,
    )
  return resolve(given)
}
