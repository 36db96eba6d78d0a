import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { holdRequest } from '../packages/server/src/testing/raw-http.ts'
import { askUntilRefused } from './support/clients/load.ts'
import { almostFullFolder, contentOf, readOnlyFolder } from './support/service/awkward-folder.ts'
import { type CommandResult, type Service, startService, temporaryFolder, tidemark } from './support/service/service.ts'

describe('a start', () => {
  const dataDir = join(temporaryFolder(), 'made', 'by-the-start')
  let service: Service
  beforeAll(async () => {
    service = await startService({ dataDir, env: { TIDEMARK_RETENTION_DAY: '7' } })
  })

  it('ends with an address, a one-time owner link and a line to try, and is ready then', async () => {
    const address = `http://localhost:${service.port}`
    expect(service.stdout()).toContain(`Tidemark is running at ${address}\n`)
    expect(service.stdout()).toMatch(new RegExp(`\\n {2}${address}/welcome#[A-Za-z0-9_-]{32}\\n`))
    expect(service.stdout()).toContain('npx tidemark project create')
    expect(service.stdout()).toMatch(new RegExp(`\\n {2}curl .*${address}/v1/logs .*\\$TIDEMARK_INGEST_KEY`))
    const response = await fetch(`${service.url}/readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ready' })
    expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ status: 'ok' })
  })

  it('makes the data folder and keeps all in it readable by its owner alone', () => {
    const modes = ['.', ...readdirSync(dataDir)].map((name) => [name, statSync(join(dataDir, name)).mode & 0o077])
    expect(modes.filter(([, forOthers]) => forOthers !== 0)).toEqual([])
  })

  it('warns about a variable it does not know and goes on', () => {
    expect(service.stderr()).toMatch(/"level":"warn".*"variable":"TIDEMARK_RETENTION_DAY"/)
  })

  it('makes a new owner link each time and keeps its token out of the log', async () => {
    await service.stop()
    const again = await startService({ dataDir, engine: false })
    const token = (text: string) => /welcome#(\S+)/.exec(text)?.[1] ?? 'none'
    expect(token(again.stdout())).not.toBe(token(service.stdout()))
    expect(again.stderr()).not.toContain(token(again.stdout()))
  })
})

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
      expect(result.stderr).toContain(`  - TIDEMARK_${name} takes `)
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
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
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

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('under load cuts nobody off: each request is answered whole or refused at the connection', async () => {
    const service = await startService({ engine: false })
    const clients = Array.from({ length: 30 }, (_, index) =>
      askUntilRefused(service.port, '/healthz', { keepAlive: index < 20 }),
    )
    await sleep(700)
    const exit = await service.stop(signal)
    const results = await Promise.all(clients)
    const sum = (count: (result: (typeof results)[number]) => number) =>
      results.reduce((total, result) => total + count(result), 0)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(results.flatMap(({ broken }) => broken)).toEqual([])
    expect(sum(({ answered }) => answered[200] ?? 0)).toBeGreaterThan(30)
    expect(results.flatMap(({ answered }) => Object.keys(answered)).filter((s) => !['200', '503'].includes(s))).toEqual(
      [],
    )
    expect(sum(({ refused }) => refused)).toBe(30)
  })

  it('lets a slow request finish, also when the signal comes twice', async () => {
    const service = await startService({ engine: false })
    const head = await holdRequest(service.port, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n`)
    const body = await holdRequest(
      service.port,
      'POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":',
    )
    service.signal(signal)
    await sleep(300)
    service.signal(signal)
    await sleep(900)
    const answers = [await body.finish('"bc"}'), await head.finish('\r\n')]
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [404, 'close'],
      [200, 'close'],
    ])
    expect(answers.map(({ body }) => JSON.parse(body))).toMatchObject([
      { error: { code: 'not_found' } },
      { status: 'ok' },
    ])
    expect(await service.exited()).toEqual({ code: 0, signal: null })
  })
})

describe('an end', () => {
  it('during the start is clean too', async () => {
    const dataDir = temporaryFolder()
    const ended = tidemark(['serve'], { dataDir })
    const pid = () =>
      existsSync(join(dataDir, 'tidemark.pid')) ? readFileSync(join(dataDir, 'tidemark.pid'), 'utf8') : ''
    await expect.poll(pid, { interval: 5 }).toMatch(/^\d+\n$/)
    process.kill(Number(pid()), 'SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it('is quick when nobody asks for anything, although connections are kept open', async () => {
    const service = await startService({ until: 'listening' })
    await holdRequest(service.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const startedAt = Date.now()
    expect(await service.stop()).toEqual({ code: 0, signal: null })
    expect(Date.now() - startedAt).toBeLessThan(8_000)
  })

  it('by Ctrl-C in the terminal of `npm start` is clean and quick', async () => {
    const service = await startService({ command: ['npm', 'start'], until: 'listening' })
    const pid = Number(readFileSync(join(service.dataDir, 'tidemark.pid'), 'utf8'))
    const startedAt = Date.now()
    service.pressControlC()
    await service.exited()
    expect(Date.now() - startedAt).toBeLessThan(9_000)
    // npm keeps the exit code to itself; the last line is written just before the service exits with 0.
    expect(service.stderr()).toMatch(/"msg":"stopped"\}\n/)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('by SIGKILL loses nothing and leaves a folder that starts again', async () => {
    const service = await startService({ until: 'listening' })
    const { project } = (await tidemark(['project', 'create', 'kept', '--json'], { dataDir: service.dataDir })).json()
    expect(await service.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    const again = await startService({ dataDir: service.dataDir, until: 'listening' })
    const { projects } = (await tidemark(['project', 'list', '--json'], { dataDir: again.dataDir })).json()
    expect(projects).toMatchObject([{ id: project.id, name: 'kept' }])
    expect(await again.stop()).toEqual({ code: 0, signal: null })
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
