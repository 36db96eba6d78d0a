/** Backups in a folder, one folder each. What two of them have in common lies on the disk once, where hard links can be made. */
import { createReadStream } from 'node:fs'
import { chmod, copyFile, link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { damaged, isSameContent, readContent, syncPath, writeContent } from './file-content.ts'
import {
  filesOf,
  isBackupName,
  MANIFEST,
  type Manifest,
  manifestText,
  noBackup,
  parseManifest,
  type StoredFile,
} from './manifest.ts'
import type { BackupPlace, BroughtFiles, Chunks, KeptBackup, UnfinishedBackup } from './place.ts'

/** Not a backup until it is renamed. */
const UNFINISHED = '.unfinished-'

/** Nobody else may write a backup here meanwhile. */
export function folderPlace(folder: string): BackupPlace {
  return {
    address: folder,
    list: () => listFolder(folder),
    open: (name) => openFolder(join(folder, name)),
    begin: (name) => beginFolder(folder, name),
    async remove(names) {
      for (const name of names) {
        // Renamed first, so that a half-deleted one is never taken for a backup.
        const unfinished = join(folder, `${UNFINISHED}${name}`)
        await rename(join(folder, name), unfinished)
        await rm(unfinished, { recursive: true })
      }
    },
  }
}

async function listFolder(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(isBackupName).sort()
  const complete: string[] = []
  for (const name of names) {
    if ((await readdir(join(folder, name))).includes(MANIFEST)) complete.push(name)
  }
  return complete
}

async function openFolder(folder: string): Promise<KeptBackup> {
  let text: string
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    throw noBackup(folder, error)
  }
  const manifest = parseManifest(text, { backup: folder, manifest: join(folder, MANIFEST) })
  const addressOf = ({ name }: StoredFile) => join(folder, name)
  const check = async () => {
    for (const file of filesOf(manifest)) {
      if (!(await isStored(folder, file)))
        throw damaged(addressOf(file), 'Use another backup. The next one will copy this file anew.')
    }
  }
  return {
    name: basename(folder),
    address: folder,
    manifest,
    // One file at a time.
    broughtBytes: Math.max(0, ...filesOf(manifest).map(({ bytes }) => bytes)),
    addressOf,
    check,
    async bring(workFolder) {
      await check()
      await mkdir(workFolder, { mode: 0o700 })
      return lentFrom(folder, workFolder)
    },
  }
}

/** Copies, because the engine reads only paths without patterns in them, and a backup may lie anywhere. */
function lentFrom(folder: string, workFolder: string): BroughtFiles {
  const copyOf = ({ name }: StoredFile) => join(workFolder, name.replaceAll('/', '_'))
  return {
    async take(file) {
      await copyFile(join(folder, file.name), copyOf(file))
      await chmod(copyOf(file), 0o600)
      return copyOf(file)
    },
    release: (file) => rm(copyOf(file)),
  }
}

async function beginFolder(folder: string, name: string): Promise<UnfinishedBackup> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const left of await readdir(folder)) {
    if (left.startsWith(UNFINISHED)) await rm(join(folder, left), { recursive: true })
  }
  const unfinished = join(folder, `${UNFINISHED}${name}`)
  await mkdir(unfinished, { mode: 0o700 })
  return {
    write: (file, chunks) => writeStored(unfinished, file, chunks),
    takeOver: (earlier, files) => takeOver(join(folder, earlier), unfinished, files),
    async forget(files) {
      for (const file of files) await rm(join(unfinished, file.name))
    },
    async finish(manifest: Manifest) {
      await writeStored(unfinished, MANIFEST, [Buffer.from(manifestText(manifest))])
      await syncFolders(unfinished)
      await rename(unfinished, join(folder, name))
      await syncPath(folder)
      return join(folder, name)
    },
    abandon: () => rm(unfinished, { recursive: true, force: true }),
  }
}

/** Resolves when the file is on disk. */
async function writeStored(folder: string, name: string, chunks: Chunks): Promise<StoredFile> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    const content = await writeContent(file, chunks)
    await file.sync()
    return { name, ...content }
  } finally {
    await file.close()
  }
}

/** The same bytes on the disk once, where the file system allows; else copies. */
async function takeOver(from: string, to: string, files: readonly StoredFile[]): Promise<boolean> {
  for (const file of files) if (!(await isStored(from, file))) return false
  for (const { name } of files) {
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 })
    try {
      await link(join(from, name), join(to, name))
    } catch {
      await copyFile(join(from, name), join(to, name))
      await syncPath(join(to, name))
    }
  }
  return true
}

async function isStored(folder: string, file: StoredFile): Promise<boolean> {
  try {
    const chunks = createReadStream(join(folder, file.name)) as AsyncIterable<Buffer>
    return isSameContent(await readContent(chunks), file)
  } catch {
    return false
  }
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name))
  }
  await syncPath(folder)
}
