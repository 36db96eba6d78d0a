/** Starts that are refused: each says why, in one sentence that carries the cure, and changes nothing. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listening } from '../support/listening.ts'
import { almostFullFolder, contentOf, readOnlyFolder } from '../support/service/awkward-folder.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { type CommandResult, startService, tidemark } from '../support/service/service.ts'

describe('a configuration', () => {
  it('with several mistakes is refused with all of them at once and no secret among them', async () => {
    const secrets = ['tooShortSecret', 'hunter2', 'pg-pass-word', 'pub-pass-word']
    const result = await tidemark(['serve'], {
      env: {
        TIDEMARK_PORT: '70000',
        TIDEMARK_RETENTION_DAYS: 'forever',
        TIDEMARK_SECRET_KEY: 'tooShortSecret',
        TIDEMARK_METRICS_TOKEN: 'hunter2',
        TIDEMARK_DATABASE_URL: 'mysql://shop:pg-pass-word@db/shop',
        TIDEMARK_PUBLIC_URL: 'https://ada:pub-pass-word@logs.example.com',
        TIDEMARK_CLICKHOUSE_CLUSTER: 'main',
      },
    })
    expect(result.code).toBe(1)
    expect(result.stdout).toBe('')
    expect(result.stderr).toContain('The configuration has 7 mistakes:')
    for (const name of ['PORT', 'RETENTION_DAYS', 'SECRET_KEY', 'METRICS_TOKEN', 'DATABASE_URL', 'PUBLIC_URL'])
      expect(result.stderr).toContain(`  - TIDEMARK_${name} must be `)
    expect(result.stderr).toContain('TIDEMARK_CLICKHOUSE_CLUSTER needs TIDEMARK_CLICKHOUSE_URL')
    for (const secret of secrets) expect(result.stderr).not.toContain(secret)
    expectNoStack(result)
  })

  it('that others could reach without a public address is refused', async () => {
    const result = await tidemark(['serve'], { env: { TIDEMARK_HOST: '0.0.0.0' } })
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('TIDEMARK_PUBLIC_URL must say under which address')
  })

  it('is read from files too', async () => {
    const folder = temporaryFolder()
    const token = 'a-token-from-a-file-0001'
    writeFileSync(join(folder, 'token'), `${token}\n`)
    const service = await startService({
      engine: false,
      env: { TIDEMARK_METRICS_TOKEN_FILE: join(folder, 'token') },
    })
    const metrics = (authorization: string) => fetch(`${service.url}/metrics`, { headers: { authorization } })
    expect((await metrics(`Bearer ${token}`)).status).toBe(200)
    expect((await metrics('Bearer another')).status).toBe(401)
    expect(service.output()).not.toContain(token)
  })
})

describe('a start that cannot succeed', () => {
  it('says that the port is taken and by which variable to choose another', async () => {
    const other = createServer()
    onTestFinished(() => void other.close())
    const port = await listening(other)
    expectRefusal(
      await tidemark(['serve'], { env: { TIDEMARK_PORT: String(port) } }),
      `Port ${port} on 127.0.0.1 is in use by another program: stop it, or set TIDEMARK_PORT to a free port.`,
    )
  })

  it('says that the data folder is read-only', async (ctx) => {
    const made = readOnlyFolder()
    if ('reason' in made) return ctx.skip(made.reason)
    const before = contentOf(made.folder)
    expectRefusal(
      await tidemark(['serve'], { dataDir: made.folder }),
      made.how === 'mount' ? 'is on a read-only file system: mount it writable' : 'is not writable by this user',
    )
    expect(contentOf(made.folder)).toEqual(before)
  })

  it('says that the disk is full', async (ctx) => {
    const folder = almostFullFolder(0)
    if (folder === undefined) return ctx.skip('nothing can be mounted here')
    const before = contentOf(folder)
    expectRefusal(await tidemark(['serve'], { dataDir: folder }), 'is on a full disk: free some space')
    expect(contentOf(folder)).toEqual(before)
  })

  it('says that the disk is full when it fills up during the start', async (ctx) => {
    const folder = almostFullFolder(96 * 1024)
    if (folder === undefined) return ctx.skip('nothing can be mounted here')
    const result = await tidemark(['serve'], { dataDir: folder })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/full/)
    expectNoStack(result)
  })

  it('says that the data folder is a file, and leaves the file alone', async () => {
    const file = join(temporaryFolder(), 'data')
    writeFileSync(file, 'precious')
    expectRefusal(await tidemark(['serve'], { dataDir: file }), 'is not a folder: remove the file in its place')
    expectRefusal(await tidemark(['serve'], { dataDir: join(file, 'below') }), 'is not a folder')
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  it('says that the data folder holds something that is no database, and leaves it alone', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'control.db'), 'no database '.repeat(1000))
    const before = contentOf(folder)['control.db']
    expectRefusal(await tidemark(['serve'], { dataDir: folder }), 'Restore control.db from a backup')
    expect(contentOf(folder)['control.db']).toBe(before)
  })

  it('says that the lock cannot be taken when something else stands in its place', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'tidemark.lock'))
    expectRefusal(
      await tidemark(['serve'], { dataDir: folder }),
      `The data folder ${folder} holds a folder where a file belongs`,
    )
  })

  it('says which process uses the data folder, and does not disturb that one', async () => {
    const first = await startService()
    await tidemark(['project', 'create', 'shop'], { dataDir: first.dataDir })
    process.kill(-first.pid, 'SIGSTOP') // with its engine: what changes in the folder now was changed by the second one
    const before = contentOf(first.dataDir)
    const second = await tidemark(['serve'], { dataDir: first.dataDir })
    const after = contentOf(first.dataDir)
    process.kill(-first.pid, 'SIGCONT')
    expectRefusal(second, `is in use by another running Tidemark (process ${first.pid}): stop that one`)
    expect(after).toEqual(before)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    expect(await first.stop()).toEqual({ code: 0, signal: null })
  })
})

/** One sentence on standard error that carries the cure, beside the log's own lines; nothing on standard output. */
function expectRefusal(result: CommandResult, sentence: string): void {
  expect(result.stderr).toContain(sentence)
  expect(result.stderr.replace(/^\{.*\}\n/gm, '')).toMatch(/^Tidemark could not start\. [^\n]+\n$/)
  expect(result.stdout).toBe('')
  expect(result.code).toBe(1)
}

function expectNoStack({ stderr }: CommandResult): void {
  expect(stderr).not.toMatch(/^\s+at /m)
}
