import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderPlace } from './folder-place.ts'
import { backupName, MANIFEST, type Manifest, newManifest } from './manifest.ts'

const FILE = { name: 'control/projects.ndjson.gz', bytes: 3, sha256: 'a'.repeat(64) }
const manifest = newManifest({
  version: '0.1.0',
  moment: '2026-11-15T12:00:00.000Z',
  controlVersion: 8,
  schemaVersion: 2,
  secretKeyCheck: 'check',
  tables: [{ table: 'projects', rows: 1, file: FILE }],
  days: [
    {
      day: 20_000,
      records: 1,
      digest: '1',
      firstExpiry: 20_030,
      files: [{ ...FILE, name: 'logs/2024-10-04/00000.native.gz' }],
    },
  ],
  spool: [{ ...FILE, name: 'spool/seg_1.seg' }],
  secretKey: { ...FILE, name: 'secret.key' },
})

describe('the manifest of a backup', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-manifest-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const write = (text: string) => writeFileSync(join(folder, MANIFEST), text)
  const readManifest = async (path: string): Promise<Manifest> =>
    (await folderPlace(dirname(path)).open(basename(path))).manifest

  it('is read as it was written', async () => {
    write(JSON.stringify(manifest))
    expect(await readManifest(folder)).toEqual(manifest)
  })

  it('is missed in words in a folder without one', async () => {
    await expect(readManifest(folder)).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no backup in ${folder}: it has no manifest.json. Name a backup, or the place where they are kept.`,
    })
  })

  it('of a newer version is refused in words', async () => {
    write(JSON.stringify({ ...manifest, format: 2, version: '9.0.0' }))
    await expect(readManifest(folder)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('made by a newer Tidemark (9.0.0). Restore it with that version'),
    })
  })

  it.each([
    '../outside',
    '/etc/passwd',
    'control/../../outside',
    'logs/..',
    'control/a/b/c',
    'elsewhere/file',
    'spool/.hidden',
    'control/a\\b',
    '',
  ])('names no file but below its own folder: %j', async (name) => {
    write(JSON.stringify({ ...manifest, spool: [{ ...FILE, name }] }))
    await expect(readManifest(folder)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it.each(['', '{', 'null', '[]', '{"format":1}', '{"format":"1"}', JSON.stringify({ ...manifest, days: {} })])(
    'that is damaged is refused in words: %s',
    async (text) => {
      write(text)
      await expect(readManifest(folder)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('is damaged'),
      })
    },
  )

  it('makes a folder a backup: others are not listed, and the order is that of time', async () => {
    const names = [
      backupName(Date.UTC(2026, 0, 2)),
      backupName(Date.UTC(2025, 11, 31)),
      backupName(Date.UTC(2026, 0, 3)),
    ]
    for (const name of [...names, '.unfinished-2026-01-04T00-00-00-000Z', 'notes']) mkdirSync(join(folder, name))
    for (const name of [names[0]!, names[1]!, 'notes']) writeFileSync(join(folder, name, MANIFEST), '{}')
    expect(await folderPlace(folder).list()).toEqual([names[1], names[0]])
  })
})
