import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { claimDataFolder, runningService } from './data-folder.ts'
import { readOrMakeSecretKey } from './secret-key.ts'

const root = mkdtempSync(join(tmpdir(), 'tidemark-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
const fresh = () => join(root, String(count++))

function refusal(path: string): AppError {
  try {
    claimDataFolder(path).release()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was claimed')
}

describe('the secret key', () => {
  it('can be read by its owner only, also after others could read it, which is logged', () => {
    const path = fresh()
    mkdirSync(path)
    const warnings: unknown[] = []
    const log = { warn: (...said: unknown[]) => void warnings.push(said) }
    const key = readOrMakeSecretKey(path, log)
    const file = join(path, 'secret.key')
    expect([statSync(file).mode & 0o777, warnings]).toEqual([0o600, []])
    for (const mode of [0o644, 0o640, 0o602]) {
      chmodSync(file, mode)
      expect(readOrMakeSecretKey(path, log)).toBe(key)
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    expect(warnings).toHaveLength(3)
    expect(warnings[0]).toEqual([{ path: file, mode: '644' }, expect.stringContaining('could read the secret key')])
  })

  // /proc/self/status is readable by every user, and no user may change its mode.
  it.skipIf(process.platform !== 'linux')('is refused when others can read it and its mode cannot be changed', () => {
    const path = fresh()
    mkdirSync(path)
    symlinkSync('/proc/self/status', join(path, 'secret.key'))
    expect(() => readOrMakeSecretKey(path, { warn: () => {} })).toThrow(
      `Other users can read ${path}/secret.key, and this user may not change its mode. Run \`chmod 600\` on it`,
    )
  })
})

describe('the data folder', () => {
  it('is made, with all folders above it, for its owner alone', () => {
    const path = join(fresh(), 'a', 'b')
    const folder = claimDataFolder(path)
    expect(folder.path).toBe(path)
    for (const name of ['.', ...readdirSync(path)]) expect(statSync(join(path, name)).mode & 0o077, name).toBe(0)
    expect(readFileSync(join(path, 'tidemark.pid'), 'utf8')).toBe(`${process.pid}\n`)
    folder.release()
  })

  it('belongs to one at a time, and can be claimed again after a release', () => {
    const path = fresh()
    const first = claimDataFolder(path)
    expect(refusal(path)).toMatchObject({
      code: 'conflict',
      message: `The data folder ${path} is in use by another running Tidemark (process ${process.pid}): stop that one, or set TIDEMARK_DATA_DIR to another folder.`,
    })
    first.release()
    claimDataFolder(path).release()
  })

  it('names its service and the addresses of it only while that runs', () => {
    const path = fresh()
    expect(runningService(path)).toBeNull()
    const folder = claimDataFolder(path)
    expect(runningService(path)).toEqual({ addresses: null })
    const addresses = { publicUrl: 'http://localhost:1', ingestUrl: 'http://localhost:2', mcpUrl: 'http://localhost:3' }
    folder.announce(addresses)
    expect(runningService(path)).toEqual({ addresses })
    folder.release()
    expect(runningService(path)).toBeNull()
    writeFileSync(join(path, 'tidemark.address'), JSON.stringify(addresses))
    expect(runningService(path)).toBeNull()
    expect(readdirSync(path).toSorted()).toEqual(['tidemark.address', 'tidemark.lock', 'tidemark.pid'])
  })

  it('is refused without a word about a process when none is known', () => {
    const path = fresh()
    const first = claimDataFolder(path)
    rmSync(join(path, 'tidemark.pid'))
    expect(refusal(path).message).toContain('in use by another running Tidemark: stop that one')
    first.release()
  })

  it('leaves what a dead service left behind and takes its place', () => {
    const path = fresh()
    mkdirSync(path)
    writeFileSync(join(path, 'tidemark.pid'), '1\n')
    writeFileSync(join(path, 'control.db'), 'kept')
    const folder = claimDataFolder(path)
    expect(readFileSync(join(path, 'control.db'), 'utf8')).toBe('kept')
    expect(readFileSync(join(path, 'tidemark.pid'), 'utf8')).toBe(`${process.pid}\n`)
    folder.release()
  })

  it('must not be a file, nor below one', () => {
    const path = fresh()
    writeFileSync(path, 'precious')
    for (const one of [path, join(path, 'below')])
      expect(refusal(one)).toMatchObject({
        code: 'unavailable',
        message: `The data folder ${one} is not a folder: remove the file in its place, or set TIDEMARK_DATA_DIR to another folder.`,
      })
    expect(readFileSync(path, 'utf8')).toBe('precious')
  })

  it.each(['.probe', 'tidemark.lock', 'tidemark.pid'])('is refused in words when %s is a folder', (name) => {
    const path = fresh()
    mkdirSync(join(path, name), { recursive: true })
    expect(refusal(path).message).toContain('holds a folder where a file belongs')
    rmSync(join(path, name), { recursive: true })
    claimDataFolder(path).release()
  })
})

describe('the secret key', () => {
  const log = { warn() {} }

  it('is made once and outlives restarts', () => {
    const { path, release } = claimDataFolder(fresh())
    const key = readOrMakeSecretKey(path, log)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(readOrMakeSecretKey(path, log)).toBe(key)
    release()
  })

  it.each([
    ['nothing', ''],
    ['zeros, as after a power cut', '\0'.repeat(65)],
    ['a part of it', 'abcdef0123456789'],
  ])('is refused with what to do when its file holds %s, which stays as it is', (_, content) => {
    const { path, release } = claimDataFolder(fresh())
    writeFileSync(join(path, 'secret.key'), content)
    expect(() => readOrMakeSecretKey(path, log)).toThrow('secret.key is damaged')
    expect(readFileSync(join(path, 'secret.key'), 'utf8')).toBe(content)
    release()
  })
})
