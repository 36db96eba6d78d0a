/** A backup of a few made-up files, for tests of the places where backups are kept. */
import { backupName, type Manifest, newManifest, type StoredFile } from '../manifest.ts'
import type { BackupPlace, UnfinishedBackup } from '../place.ts'

export function nameOfDay(day: number): string {
  return backupName(Date.UTC(2026, 0, day))
}

export function smallManifest(files: StoredFile[], { schemaVersion = 2 } = {}): Manifest {
  return newManifest({
    version: '0.1.0',
    moment: '2026-11-15T12:00:00.000Z',
    controlVersion: 8,
    schemaVersion,
    secretKeyCheck: 'check',
    tables: [],
    days: [],
    spool: files,
    secretKey: null,
  })
}

/** Texts by the names of their files. */
export async function writeSmall(place: BackupPlace, name: string, texts: Record<string, string>): Promise<string> {
  const backup = await place.begin(name)
  return await backup.finish(smallManifest(await writeTexts(backup, texts)))
}

export async function writeTexts(backup: UnfinishedBackup, texts: Record<string, string>): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for (const [file, text] of Object.entries(texts)) files.push(await backup.write(`spool/${file}`, [Buffer.from(text)]))
  return files
}
