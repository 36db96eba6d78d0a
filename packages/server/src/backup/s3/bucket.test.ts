import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBucket } from './bucket.ts'
import { type BucketAccess, textBody } from './signed-request.ts'
import { type S3Server, startS3Server, type Trouble } from './testing/s3-server.ts'

const SECRET = 'a/secret+of/tests'

describe('a bucket', () => {
  let server: S3Server
  let pauses: number[] = []
  const closed: (() => void)[] = []
  beforeEach(async () => {
    server = await startS3Server()
    pauses = []
  })
  afterEach(async () => {
    for (const close of closed.splice(0)) close()
    await server.stop()
  })
  const access = (): BucketAccess => ({ ...server.authority, sessionToken: undefined, endpoint: server.endpoint })
  const open = (changed: Partial<BucketAccess> = {}, name = 'backups') => {
    const bucket = openBucket({ ...access(), ...changed }, name, { pause: async (ms) => pauses.push(ms) })
    closed.push(bucket.close)
    return bucket
  }
  const troubles = (...all: Trouble[]) => {
    server.state.trouble = () => all.shift()
  }

  it('keeps what is put, under names with unusual characters too, and lists it in pages', async () => {
    const bucket = open()
    const keys = ["a b/(c)!*'/d=é+&%.txt", ...Array.from({ length: 12 }, (_, at) => `n/${at}`)]
    for (const key of keys) await bucket.put(key, textBody(`text of ${key}`))
    expect(await bucket.getText(keys[0]!)).toBe(`text of ${keys[0]}`)
    expect((await bucket.list('')).all.map(({ key }) => key)).toEqual([...keys].sort())
    expect((await bucket.list('n/')).all).toHaveLength(12)
    expect((await bucket.list("a b/(c)!*'/")).all).toMatchObject([{ key: keys[0], bytes: 30 }])
    expect(await bucket.sizeOf('n/0')).toBe(11)
    await bucket.remove('n/0')
    expect(await bucket.getText('n/0')).toBeUndefined()
    expect(await bucket.sizeOf('n/0')).toBeUndefined()
    await bucket.remove('n/0')
  })

  it('is reached with temporary credentials', async () => {
    const other = await startS3Server({ sessionToken: 'a token' })
    const bucket = openBucket({ ...other.authority, sessionToken: 'a token', endpoint: other.endpoint }, 'backups')
    await bucket.put('key', textBody('text'))
    expect(await bucket.getText('key')).toBe('text')
    bucket.close()
    await other.stop()
  })

  it.each<[Trouble]>([[500], [502], [503], [504], [429], ['cut'], ['answer lost'], ['cut in the middle']])(
    'is tried again, after longer and longer pauses, when the trouble may pass: %s',
    async (trouble) => {
      const bucket = open()
      await bucket.put('key', textBody('text'))
      troubles(trouble, trouble, trouble)
      expect(await bucket.getText('key')).toBe('text')
      expect(pauses).toHaveLength(3)
      troubles(trouble)
      await bucket.put('key', textBody('other'))
      expect(server.objects.get('key')?.bytes.toString()).toBe('other')
    },
  )

  it('begins to read an object anew when the connection is lost in the middle', async () => {
    const bucket = open()
    await bucket.put('key', textBody('text'))
    troubles('cut in the middle')
    const begun: string[] = []
    await bucket.get('key', async (chunks) => {
      begun.push('')
      for await (const chunk of chunks) begun[begun.length - 1] += chunk.toString()
    })
    expect(begun).toEqual(['text', 'text'])
  })

  it('is given up in words when the trouble stays', async () => {
    server.state.trouble = () => 503
    await expect(open().put('key', textBody('text'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ keeps answering 503 SlowDown\. Try again later/),
    })
    expect(pauses).toHaveLength(5)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(8_000)
  })

  it('has an object or not by its own word, not by any 404', async () => {
    server.state.trouble = () => 404
    await expect(open().getText('key')).rejects.toMatchObject({
      message: expect.stringContaining('does not find the bucket backups (404 InternalError)'),
    })
  })

  it('is not listed by half', async () => {
    const bucket = open()
    for (let at = 0; at < 12; at++) await bucket.put(`n/${at}`, textBody('text'))
    server.state.trouble = () => 'no next page'
    await expect(bucket.list('n/')).rejects.toMatchObject({
      message: expect.stringContaining('It has to know ListObjectsV2.'),
    })
  })

  it('is not tried again after an error of the reader', async () => {
    const bucket = open()
    await bucket.put('key', textBody('text'))
    const read = async () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }))
    await expect(bucket.get('key', read)).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(pauses).toEqual([])
  })

  it.each<[string, Partial<BucketAccess>, string, RegExp]>([
    [
      'another access key',
      { accessKeyId: 'other' },
      'backups',
      /does not know the access key. Check AWS_ACCESS_KEY_ID/,
    ],
    [
      'another secret',
      { secretAccessKey: `${SECRET}x` },
      'backups',
      /refuses the signature. Check AWS_SECRET_ACCESS_KEY/,
    ],
    ['a token that does not belong', { sessionToken: 'x' }, 'backups', /AWS_SESSION_TOKEN does not belong/],
    ['another region', { region: 'us-east-1' }, 'backups', /is in the region eu-test-1. Set AWS_REGION=eu-test-1./],
    ['a bucket that is not there', {}, 'others', /There is no bucket others at 127.0.0.1:\d+. Create it/],
    [
      'nobody at the address',
      { endpoint: 'http://127.0.0.1:1' },
      'backups',
      /127.0.0.1:1 cannot be reached \(ECONNREFUSED\)/,
    ],
  ])('is refused in words with %s', async (_, changed, name, told) => {
    const error = await open(changed, name)
      .list('')
      .catch((thrown) => thrown)
    expect(error.message).toMatch(told)
    expect(JSON.stringify([error.message, String(error.cause?.message)])).not.toMatch(/secret\+of|not to be repeated/)
  })

  it('is refused in words when the clocks differ', async () => {
    server.state.clockMs = () => Date.now() + 3_600_000
    await expect(open().list('')).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(
        /clock of this machine differs from that of 127.*, they are 3[56]\d\d s apart. Set it,/,
      ),
    })
  })

  it('is refused in words by a server that speaks TLS, or does not', async () => {
    await expect(open({ endpoint: server.endpoint.replace('http', 'https') }).list('')).rejects.toMatchObject({
      message: expect.stringContaining('begins with the right one of http: and https:'),
    })
  })
})
