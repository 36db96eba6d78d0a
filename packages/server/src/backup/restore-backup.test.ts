import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WrittenControl } from '../control/copy.ts'
import type { ControlRow } from '../control/database/database.ts'
import type { LogArchive } from '../logstore/open-archive.ts'
import { mustBeRestorable, restoreBackup } from './restore-backup.ts'
import { smallManifest } from './testing/small-backup.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-restore-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = { name: 'control/projects.ndjson.gz', bytes: 1, sha256: 'a'.repeat(64) }
const withTables = (...tables: string[]) => ({
  ...smallManifest([]),
  tables: tables.map((table) => ({ table, rows: 1, file })),
})

/** Rows of a table that a restore hands to the control store. */
async function restored(text: string): Promise<ControlRow[]> {
  const path = join(folder, 'projects.ndjson.gz')
  writeFileSync(path, gzipSync(text))
  const found: ControlRow[] = []
  const writeControl = async ({ rows }: WrittenControl) => {
    for await (const some of rows('projects')) found.push(...some)
    return new Map([['projects' as const, 1]])
  }
  await restoreBackup({
    backup: { name: '2026-01-01T00-00-00-000Z', manifest: withTables('projects') },
    files: { take: async () => path, release: async () => {} },
    spoolFolder: join(folder, 'spool'),
    secretKeyPath: null,
    writeControl,
    logs: { read: () => ({}) } as unknown as LogArchive,
  })
  return found
}

describe('a restore of the control store', () => {
  it('reads a row of each line, however the file is cut into pieces', async () => {
    const rows = [{ id: 'a', text: 'x\u2028y'.repeat(100_000) }, { id: 'b' }, { id: 'c', text: 'ü'.repeat(70_000) }]
    expect(await restored(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))).toEqual(rows)
  })

  it.each([
    ['a line that is far too long', `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}\n`],
    ['a line that is no JSON', '{"id":\n'],
    ['a line that is no object', '[1]\n'],
  ])('refuses %s, and names the file', async (_, text) => {
    await expect(restored(text)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^The backup is damaged: control\/projects\.ndjson\.gz .* Restore another one\.$/),
    })
  })
})

describe('a backup', () => {
  const kept = (manifest: ReturnType<typeof withTables>) => ({ address: '/backups/x', manifest })

  it('that names a table this version does not know is refused, before anything is written', () => {
    expect(() => mustBeRestorable(kept(withTables('projects', 'people')))).not.toThrow()
    expect(() => mustBeRestorable(kept(withTables('projects', 'sqlite_master')))).toThrow(
      'The backup in /backups/x is damaged: its manifest names the unknown table "sqlite_master". Restore another one.',
    )
    expect(() => mustBeRestorable(kept(withTables('projects', 'projects')))).toThrow('names the table "projects" twice')
  })

  it('of a newer version is refused as such, whatever tables it names', () => {
    const newer = { ...withTables('projects', 'new_table'), controlVersion: 10_000 }
    expect(() => mustBeRestorable(kept(newer))).toThrow('was made by a newer Tidemark')
  })
})
