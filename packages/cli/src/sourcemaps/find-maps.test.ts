import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findMaps } from './find-maps.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-maps-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function built(...path: string[]): string {
  const where = join(folder, ...path)
  mkdirSync(where, { recursive: true })
  writeFileSync(join(where, 'app.js.map'), '{}')
  return where
}

const filesIn = (where: string) => {
  const problems: string[] = []
  return { files: findMaps(where, problems).map(({ file }) => file), problems }
}

it('takes a folder that is a link, and follows no link inside of it', () => {
  const build = built('build', 'assets')
  symlinkSync(built('elsewhere'), join(build, 'linked'))
  symlinkSync(join(folder, 'build'), join(folder, 'dist'))
  expect(filesIn(join(folder, 'dist'))).toEqual({ files: ['assets/app.js'], problems: [] })
})

it('says where it has stopped looking', () => {
  built('build', ...Array.from({ length: 32 }, () => 'a'))
  expect(filesIn(join(folder, 'build')).problems).toEqual([
    `${join(folder, 'build')} has folders more than 30 deep: give the one that the bundler wrote.`,
  ])
})
