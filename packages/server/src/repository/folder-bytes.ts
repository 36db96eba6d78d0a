import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the files below a folder hold. Files come and go meanwhile: what is gone counts nothing. */
export function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += folderBytes(path)
    else bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
