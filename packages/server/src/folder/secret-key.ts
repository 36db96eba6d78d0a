import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The key of this instance, made once. It signs cursors and encrypts secrets at rest, so it must outlive restarts. */
export function readOrMakeSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret.key')
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}
