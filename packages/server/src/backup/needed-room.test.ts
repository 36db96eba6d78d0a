import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mustHaveRoom, neededBytes } from './needed-room.ts'
import { smallManifest } from './testing/small-backup.ts'

const MIB = 1024 ** 2
const file = (name: string, bytes: number) => ({ name, bytes, sha256: 'a'.repeat(64) })
const manifest = {
  ...smallManifest([file('spool/a', 1 * MIB)]),
  tables: [{ table: 'projects', rows: 1, file: file('control/projects.ndjson.gz', 10 * MIB) }],
  days: [{ day: 1, records: 1, digest: '1', firstExpiry: 2, files: [file('logs/1970-01-02/0.native.gz', 100 * MIB)] }],
}

describe('the room that a restore needs', () => {
  it.each([
    ['all of a backup, in the stores of the data folder', 50, { logs: true, control: true }, 61 + 64],
    ['what is not in other stores', 0, { logs: false, control: true }, 11 + 64],
    ['what is brought, when that is more', 111, { logs: false, control: false }, 111 + 64],
    ['what waits in the spool', 0, { logs: false, control: false }, 1 + 64],
  ])('is that of %s, and some more', (_, broughtMib, stays, neededMib) => {
    expect(neededBytes({ manifest, broughtBytes: broughtMib * MIB }, stays)).toBe(neededMib * MIB)
  })

  it('is looked for on the disk of a folder that does not exist yet', async () => {
    const folder = join(tmpdir(), 'tidemark-no-such-folder', 'data')
    await mustHaveRoom(folder, 0)
    await expect(mustHaveRoom(folder, 1e18)).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringMatching(
        /^There is not enough room in .*data: the backup needs at least 953,674,316,407 MiB, and [\d,]+ MiB are free. Free some, or/,
      ),
    })
  })
})
