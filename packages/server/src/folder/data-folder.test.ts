import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { claimDataFolder } from './data-folder.ts'

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
