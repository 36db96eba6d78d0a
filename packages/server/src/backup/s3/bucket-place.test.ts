import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BackupPlace } from '../place.ts'
import { nameOfDay, smallManifest, writeSmall, writeTexts } from '../testing/small-backup.ts'
import { keepNewest } from '../write-backup.ts'
import { openBucket } from './bucket.ts'
import { bucketPlace, SPARED_MS } from './bucket-place.ts'
import { type S3Server, startS3Server } from './testing/s3-server.ts'

describe('backups in a bucket', () => {
  let folder = ''
  let server: S3Server
  let place: BackupPlace
  let close = () => {}
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-bucket-'))
    server = await startS3Server()
    const access = { ...server.authority, sessionToken: undefined, endpoint: server.endpoint }
    const bucket = openBucket(access, 'backups', { pause: async () => {} })
    place = bucketPlace({ bucket, prefix: 'shop/logs/', stagingFolder: folder, partBytes: 1_000 })
    close = bucket.close
  })
  afterEach(async () => {
    close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const keys = () => [...server.objects.keys()].sort()
  const files = () => keys().filter((key) => key.startsWith('shop/logs/files/'))
  const asked = (method: string) => server.requests.filter((request) => request.method === method)
  /** As if all that is there had been written so long ago. */
  const age = (ms: number) => {
    for (const object of server.objects.values()) object.changedMs = Date.now() - ms
    for (const upload of server.uploads.values()) upload.begunMs = Date.now() - ms
  }

  it('are named by their moment, and their files by their content', async () => {
    const address = await writeSmall(place, nameOfDay(1), { a: 'same', b: 'same' })
    expect(address).toBe('s3://backups/shop/logs/2026-01-01T00-00-00-000Z')
    expect(keys()).toEqual([
      'shop/logs/2026-01-01T00-00-00-000Z/manifest.json',
      'shop/logs/files/0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5',
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  it('send what is there already not again, also after a backup that was cut off', async () => {
    await writeTexts(await place.begin(nameOfDay(1)), { a: 'one', b: 'two' })
    const before = asked('PUT').length
    await writeSmall(place, nameOfDay(2), { a: 'one', b: 'two', c: 'three' })
    expect(
      asked('PUT')
        .slice(before)
        .map(({ key }) => key.split('/').at(-2)),
    ).toEqual(['files', nameOfDay(2)])
  })

  it('write anew what has another size than it should', async () => {
    await writeSmall(place, nameOfDay(1), { a: 'one' })
    server.objects.get(files()[0]!)!.bytes = Buffer.from('on')
    await writeSmall(place, nameOfDay(2), { a: 'one' })
    await (await place.open(nameOfDay(2))).check()
  })

  it('are kept so many, and their files as long as one of them needs them', async () => {
    await writeSmall(place, nameOfDay(1), { a: 'one', b: 'two' })
    await writeSmall(place, nameOfDay(2), { a: 'one', b: 'three' })
    await writeSmall(place, nameOfDay(3), { a: 'one', b: 'four' })
    expect(files()).toHaveLength(4)
    age(SPARED_MS + 60_000)
    expect(await keepNewest(place, 2)).toEqual([nameOfDay(1)])
    expect(files()).toHaveLength(3)
    expect(await place.list()).toEqual([nameOfDay(2), nameOfDay(3)])
    for (const name of await place.list()) await (await place.open(name)).check()
    const manifestGone = server.requests.findIndex(({ method }) => method === 'DELETE')
    expect(server.requests[manifestGone]?.key).toBe(`shop/logs/${nameOfDay(1)}/manifest.json`)
  })

  it('lose no file that is young: another backup may be about to name it', async () => {
    const other = await place.begin(nameOfDay(2))
    const written = await writeTexts(other, { a: 'new' })
    await writeSmall(place, nameOfDay(1), { a: 'one' })
    await writeSmall(place, nameOfDay(3), { a: 'three' })
    age(SPARED_MS - 60_000)
    await keepNewest(place, 1)
    await other.finish(smallManifest(written))
    await (await place.open(nameOfDay(2))).check()
    age(SPARED_MS + 60_000)
    await keepNewest(place, 1)
    expect(files()).toHaveLength(1)
  })

  it('lose no file while there is a manifest that cannot be understood', async () => {
    await writeSmall(place, nameOfDay(1), { a: 'one' })
    server.objects.get(`shop/logs/${nameOfDay(1)}/manifest.json`)!.bytes = Buffer.from('{"format":2}')
    await writeSmall(place, nameOfDay(2), { a: 'two' })
    age(SPARED_MS + 60_000)
    await expect(keepNewest(place, 5)).rejects.toMatchObject({
      message: expect.stringContaining(`because the backup ${nameOfDay(1)} cannot be understood`),
    })
    expect(files()).toHaveLength(2)
  })

  it('say which of them are deleted although their files stay', async () => {
    for (const day of [1, 2, 3]) await writeSmall(place, nameOfDay(day), { a: `of day ${day}` })
    server.objects.get(`shop/logs/${nameOfDay(3)}/manifest.json`)!.bytes = Buffer.from('{"format":2}')
    age(SPARED_MS + 60_000)
    await expect(keepNewest(place, 2)).rejects.toMatchObject({
      message: expect.stringContaining(
        `The oldest backups are deleted, but their files stay, because the backup ${nameOfDay(3)} cannot be understood`,
      ),
    })
    expect(await place.list()).toEqual([nameOfDay(2), nameOfDay(3)])
    expect(files()).toHaveLength(3)
  })

  it('are not finished when a file was deleted meanwhile', async () => {
    const backup = await place.begin(nameOfDay(1))
    const written = await writeTexts(backup, { a: 'one' })
    server.objects.delete(files()[0]!)
    await expect(backup.finish(smallManifest(written))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was deleted from the bucket while the backup was made. Make it again'),
    })
    expect(await place.list()).toEqual([])
  })

  it('touch nothing beside them in the same bucket', async () => {
    const others = ['shop/logs-2/files/x', 'shop/files/x', 'shop/logs/2026-notes/manifest.json', 'shop/logs/readme']
    others.push(`shop/logs/2026/${nameOfDay(9)}/manifest.json`)
    others.push(
      'shop/logs/files/invoice.pdf',
      `shop/logs/files/photos/${'a'.repeat(64)}`,
      `shop/logs/files/${'A'.repeat(64)}`,
    )
    for (const key of others) server.objects.set(key, { bytes: Buffer.from('x'), changedMs: 0 })
    await writeSmall(place, nameOfDay(1), { a: 'one' })
    await keepNewest(place, 1)
    expect(await place.list()).toEqual([nameOfDay(1)])
    expect(keys()).toEqual(expect.arrayContaining(others))
  })

  describe('with files that are sent in parts', () => {
    const text = Array.from({ length: 700 }, (_, at) => String(at)).join(' ')

    it('have them whole', async () => {
      await writeSmall(place, nameOfDay(1), { a: text })
      expect(asked('PUT').filter(({ query }) => query.partNumber !== undefined)).toHaveLength(3)
      expect(server.objects.get(files()[0]!)?.bytes.toString()).toBe(text)
      await (await place.open(nameOfDay(1))).check()
    })

    it('survive that the answer to the end is lost', async () => {
      let isLost = false
      server.state.trouble = ({ method, query }) => {
        if (isLost || method !== 'POST' || query.uploadId === undefined) return undefined
        isLost = true
        return 'answer lost'
      }
      await writeSmall(place, nameOfDay(1), { a: text })
      expect(isLost).toBe(true)
      await (await place.open(nameOfDay(1))).check()
    })

    it('leave none of them behind when it fails', async () => {
      server.state.trouble = ({ query }) => (query.partNumber === '3' ? 503 : undefined)
      await expect(writeSmall(place, nameOfDay(1), { a: text })).rejects.toMatchObject({ code: 'unavailable' })
      expect(server.uploads.size).toBe(0)
      expect(keys()).toEqual([])
    })

    it('end what a process that was killed left behind, once it is old', async () => {
      const begun = { key: `shop/logs/files/${'a'.repeat(64)}`, begunMs: Date.now(), parts: new Map() }
      server.uploads.set('left', begun)
      server.uploads.set('not ours', { ...begun, key: 'elsewhere' })
      server.uploads.set('nor this', { ...begun, key: 'shop/logs/files/video' })
      await writeSmall(place, nameOfDay(1), { a: 'one' })
      await keepNewest(place, 1)
      expect(server.uploads.size).toBe(3)
      age(SPARED_MS + 60_000)
      await keepNewest(place, 1)
      expect([...server.uploads.keys()]).toEqual(['not ours', 'nor this'])
    })
  })
})
