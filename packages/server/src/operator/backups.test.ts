import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { backUp, move } from './backups.ts'

const root = mkdtempSync(join(tmpdir(), 'tidemark-backups-'))
const dataDir = join(root, 'data')
const config = loadConfig({ TIDEMARK_DATA_DIR: dataDir })

describe('a folder that backups cannot be kept in', () => {
  beforeAll(() => {
    mkdirSync(join(dataDir, 'engine'), { recursive: true })
    for (const name of ['control.db', 'secret.key']) writeFileSync(join(dataDir, name), '')
    writeFileSync(join(root, 'file'), 'precious')
    mkdirSync(join(root, 'odd', 'backup.lock'), { recursive: true })
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('is told in its own words when it cannot be made', async () => {
    for (const into of [join(root, 'file'), join(root, 'file', 'below')])
      await expect(backUp(config, { into })).rejects.toMatchObject({
        code: 'unavailable',
        message: `The backup folder ${into} is not a folder: remove the file in its place, or name another folder to keep backups in.`,
      })
  })

  it('is told in its own words when it cannot be locked', async () => {
    const into = join(root, 'odd')
    await expect(backUp(config, { into })).rejects.toMatchObject({
      code: 'unavailable',
      message: `The backup folder ${into} holds a folder where a file belongs: remove it, or name another folder to keep backups in.`,
    })
  })

  it('is told in its own words when a move cannot make its copy there', async () => {
    const through = join(root, 'file', 'below')
    const to = loadConfig({ TIDEMARK_DATA_DIR: join(root, 'moved') })
    await expect(move(config, to, { through })).rejects.toMatchObject({
      code: 'unavailable',
      message: `The folder of the copy ${through} is not a folder: remove the file in its place, or name another one with --through.`,
    })
  })
})
