import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { SECRET_KEY_FILE } from './names.ts'

const MIN_CHARACTERS = 32
const VALID_KEY = new RegExp(`^[!-~]{${MIN_CHARACTERS},}$`)

/**
 * The key of this instance, made once. It signs cursors and encrypts secrets at rest, so it must outlive restarts. A copy or a
 * restore by hand may have made the file readable by others; like `control.db`, it is set back to 0600.
 */
export function readOrMakeSecretKey(dataDir: string, log: Pick<Log, 'warn'>): string {
  const path = join(dataDir, SECRET_KEY_FILE)
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  makePrivate(path, log)
  return readSecretKey(dataDir)
}

function makePrivate(path: string, log: Pick<Log, 'warn'>): void {
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    throw new AppError(
      'unavailable',
      `Other users can read ${path}, and this user may not change its mode. Run \`chmod 600\` on it as its owner, then start again.`,
      { cause: error },
    )
  }
  log.warn({ path, mode: mode.toString(8) }, 'other users could read the secret key; its mode is 600 again')
}

/** Reads the key of an instance that has one. An empty or overwritten file would otherwise be a key that anyone can guess. */
export function readSecretKey(dataDir: string): string {
  const path = join(dataDir, SECRET_KEY_FILE)
  const key = readFileSync(path, 'utf8').trim()
  if (VALID_KEY.test(key)) return key
  throw new AppError(
    'unavailable',
    `${path} is damaged: it holds no key of at least ${MIN_CHARACTERS} characters. Put it back from a backup. Without one, delete it: a new key is made, and connected repositories, alert receivers and webhooks have to be set up again.`,
  )
}
