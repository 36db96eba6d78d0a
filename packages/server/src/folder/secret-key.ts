import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECRET_KEY_FILE } from './names.ts'

/** The key of this instance, made once. It signs cursors and encrypts secrets at rest, so it must outlive restarts. */
export function readOrMakeSecretKey(dataDir: string): string {
  const path = join(dataDir, SECRET_KEY_FILE)
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readSecretKey(dataDir)
}

/** Of an instance that has one. */
export function readSecretKey(dataDir: string): string {
  return readFileSync(join(dataDir, SECRET_KEY_FILE), 'utf8').trim()
}
