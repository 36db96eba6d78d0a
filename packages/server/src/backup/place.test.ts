/** What every place where backups are kept promises, asked of each of them. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderPlace } from './folder-place.ts'
import { filesOf } from './manifest.ts'
import type { BackupPlace } from './place.ts'
import { openBucket } from './s3/bucket.ts'
import { bucketPlace } from './s3/bucket-place.ts'
import { textBody } from './s3/signed-request.ts'
import { reachBucket } from './s3/testing/reach-bucket.ts'
import { nameOfDay, smallManifest, writeSmall, writeTexts } from './testing/small-backup.ts'

/** That every server takes. */
const LEAST_PART_BYTES = 5 * 1024 ** 2

type Kept = {
  place: BackupPlace
  /** What becomes of a file behind the back of the place, by its address. Damaged, it is as long as before. */
  damage(address: string): Promise<void>
  lose(address: string): Promise<void>
  close(): Promise<void>
}

const PLACES: Record<string, (folder: string) => Promise<Kept>> = {
  'a folder': async (folder) => ({
    place: folderPlace(join(folder, 'backups')),
    damage: async (address) => writeFileSync(address, 'owt'),
    lose: async (address) => unlinkSync(address),
    close: async () => {},
  }),
  'a bucket': async (folder) => {
    const reached = await reachBucket()
    const bucket = openBucket(reached.access, reached.bucket)
    const keyOf = (address: string) => address.replace(`s3://${reached.bucket}/`, '')
    return {
      place: bucketPlace({
        bucket,
        prefix: `test-${randomUUID()}/`,
        stagingFolder: folder,
        partBytes: LEAST_PART_BYTES,
      }),
      damage: (address) => bucket.put(keyOf(address), textBody('owt')),
      lose: (address) => bucket.remove(keyOf(address)),
      close: async () => {
        bucket.close()
        await reached.close()
      },
    }
  },
}

describe.each(Object.keys(PLACES))('%s', (kind) => {
  let folder = ''
  let kept: Kept
  let place: BackupPlace
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-place-'))
    kept = await PLACES[kind]!(folder)
    place = kept.place
  })
  afterEach(async () => {
    await kept.close()
    rmSync(folder, { recursive: true })
  })

  it('keeps backups and lists them in the order of time, each when it is finished', async () => {
    await writeSmall(place, nameOfDay(2), { a: 'second' })
    const later = await place.begin(nameOfDay(3))
    const files = await writeTexts(later, { a: 'third' })
    await writeSmall(place, nameOfDay(1), { a: 'first' })
    expect(await place.list()).toEqual([nameOfDay(1), nameOfDay(2)])
    await expect(place.open(nameOfDay(3))).rejects.toMatchObject({ code: 'not_found' })
    if (kind === 'a bucket') {
      await later.finish(smallManifest(files))
      expect(await place.list()).toEqual([nameOfDay(1), nameOfDay(2), nameOfDay(3)])
    }
    expect((await place.open(nameOfDay(2))).manifest.spool).toMatchObject([{ name: 'spool/a', bytes: 6 }])
  })

  it('hands the files out as they were written, and has none of its copies left afterwards', async () => {
    const texts = { a: 'same', b: 'same', c: '', d: 'x'.repeat(6_000_000) }
    const address = await writeSmall(place, nameOfDay(1), texts)
    const backup = await place.open(nameOfDay(1))
    expect(backup).toMatchObject({ name: nameOfDay(1), address })
    await backup.check()
    const work = join(folder, 'work')
    const brought = await backup.bring(work)
    const read: Record<string, string> = {}
    for (const file of filesOf(backup.manifest)) {
      const path = await brought.take(file)
      expect(path.startsWith(work)).toBe(true)
      read[file.name.replace('spool/', '')] = readFileSync(path, 'utf8')
      await brought.release(file)
      expect(existsSync(path)).toBe(false)
    }
    expect(read).toEqual(texts)
  })

  it('does not list what was abandoned or cut off, and goes on', async () => {
    const abandoned = await place.begin(nameOfDay(1))
    await writeTexts(abandoned, { a: 'one' })
    await abandoned.abandon()
    await writeTexts(await place.begin(nameOfDay(2)), { a: 'cut off' })
    await writeSmall(place, nameOfDay(3), { a: 'one' })
    expect(await place.list()).toEqual([nameOfDay(3)])
    await (await place.open(nameOfDay(3))).check()
  })

  it('takes files over from an earlier backup, and none when one of them is not there any more', async () => {
    await writeSmall(place, nameOfDay(1), { a: 'one', b: 'two' })
    const earlier = await place.open(nameOfDay(1))
    const second = await place.begin(nameOfDay(2))
    expect(await second.takeOver(nameOfDay(1), earlier.manifest.spool)).toBe(true)
    await second.finish(smallManifest(earlier.manifest.spool))
    await (await place.open(nameOfDay(2))).check()

    await kept.lose(earlier.addressOf(earlier.manifest.spool[1]!))
    const third = await place.begin(nameOfDay(3))
    expect(await third.takeOver(nameOfDay(1), earlier.manifest.spool)).toBe(false)
    await third.finish(smallManifest(await writeTexts(third, { a: 'one', b: 'two' })))
    await (await place.open(nameOfDay(3))).check()
  })

  it('writes a name again after it was forgotten', async () => {
    const backup = await place.begin(nameOfDay(1))
    await backup.forget(await writeTexts(backup, { a: 'before' }))
    await backup.finish(smallManifest(await writeTexts(backup, { a: 'after' })))
    const kept = await place.open(nameOfDay(1))
    const path = await (await kept.bring(join(folder, 'work'))).take(kept.manifest.spool[0]!)
    expect(readFileSync(path, 'utf8')).toBe('after')
  })

  it('names what is damaged or lost, and hands nothing out', async () => {
    await writeSmall(place, nameOfDay(1), { a: 'one', b: 'two', c: 'three' })
    const backup = await place.open(nameOfDay(1))
    const [, b] = backup.manifest.spool.map((file) => backup.addressOf(file))
    await kept.damage(b!)
    const refusal = { code: 'invalid_request', message: expect.stringContaining(`${b} is not what was written.`) }
    await expect(backup.check()).rejects.toMatchObject(refusal)
    await expect(backup.bring(join(folder, 'work'))).rejects.toMatchObject(refusal)
    await writeSmall(place, nameOfDay(2), { c: 'three' })
    const other = await place.open(nameOfDay(2))
    await kept.lose(other.addressOf(other.manifest.spool[0]!))
    await expect(other.check()).rejects.toMatchObject({ message: expect.stringContaining('is damaged') })
  })

  it('removes backups without what others share with them', async () => {
    await writeSmall(place, nameOfDay(1), { a: 'one', b: 'two' })
    const second = await place.begin(nameOfDay(2))
    const { manifest } = await place.open(nameOfDay(1))
    await second.takeOver(nameOfDay(1), manifest.spool)
    await second.finish(smallManifest(manifest.spool))
    await writeSmall(place, nameOfDay(3), { a: 'three' })
    await place.remove([nameOfDay(1)])
    expect(await place.list()).toEqual([nameOfDay(2), nameOfDay(3)])
    for (const name of await place.list()) await (await place.open(name)).check()
  })
})
