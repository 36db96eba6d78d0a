import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Puts the engine's table definitions and their folders on disk. The engine does not: a table made in the last seconds
 * before power loss is gone, with everything loaded into it.
 */
export async function syncDefinitions(databaseDir: string): Promise<void> {
  for (const entry of await readdir(databaseDir, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() || entry.name.endsWith('.sql')) await sync(join(entry.parentPath, entry.name))
  }
  await sync(databaseDir)
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r').catch(ignoreVanished)
  await file?.sync().finally(() => file.close())
}

/** Parts come and go while we walk. */
function ignoreVanished(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
