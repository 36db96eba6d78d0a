import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWriteProbe } from './disk-space.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'probe-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a folder that can be written to has no problem, and nothing is left in it', async () => {
  expect(await createWriteProbe(folder)()).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

it('a folder that cannot be written to is reported with the reason, and without its path', async () => {
  writeFileSync(join(folder, 'file'), '')
  expect(await createWriteProbe(join(folder, 'file'))()).toBe(
    'The data folder is not a folder: remove the file in its place.',
  )
  expect(await createWriteProbe(join(folder, 'missing'))()).toBe('The data folder cannot be used (ENOENT).')
})

it('the disk is written to once at a time and at most every five seconds, however often the state is requested', async () => {
  let nowMs = 0
  const probe = createWriteProbe(folder, () => nowMs)
  expect(await Promise.all([probe(), probe()])).toEqual([undefined, undefined])
  rmSync(folder, { recursive: true })
  nowMs = 4_999
  expect(await probe()).toBeUndefined()
  nowMs = 5_000
  expect(await probe()).toContain('ENOENT')
})
