/** Data folders that cannot be used: on a separate read-only or full disk where root can mount one. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './processes.ts'

/** A folder that cannot be written to, or the reason why none can be made here. */
export function readOnlyFolder(): { folder: string; how: 'mount' | 'mode' } | { reason: string } {
  const folder = temporaryFolder()
  if (mount(folder, 'ro')) return { folder, how: 'mount' }
  if (process.getuid?.() === 0) return { reason: 'root can write everywhere and nothing can be mounted here' }
  chmodSync(folder, 0o500)
  return { folder, how: 'mode' }
}

/** A separate disk with `freeBytes` left, or undefined where nothing can be mounted. */
export function almostFullFolder(freeBytes: number): string | undefined {
  const folder = temporaryFolder()
  if (!mount(folder, 'size=1m')) return undefined
  const file = openSync(join(folder, 'filler'), 'w')
  try {
    const filler = Buffer.alloc(4096, 'x')
    for (let left = 1024 * 1024 - freeBytes; left > 0; left -= filler.length) writeSync(file, filler)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return folder
}

/** Every file below a folder with a hash of its content. */
export function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

function mount(folder: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  })
  return true
}
