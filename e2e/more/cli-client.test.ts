import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CI_ENVIRONMENTS, SHA } from '../../packages/cli/src/testing/ci-environments.ts'
import { TEST_PATIENCE_MS, until } from '../../scripts/until.mjs'
import { BIN, run, start } from '../support/clients/cli-client-process.ts'
import { get, sendLogs } from '../support/clients/reading-api.ts'
import { listening } from '../support/listening.ts'
import { createProject, type TestProject, withControl } from '../support/service/ingest-project.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { type Service, sharedService } from '../support/service/service.ts'
import { settled } from '../support/service/settled.ts'

let service: Service
const project = (name: string) => createProject({ dataDir: service.dataDir }, name)
const keysOf = ({ ingestKey, readKey }: TestProject) => ({
  TIDEMARK_URL: service.url,
  TIDEMARK_INGEST_KEY: ingestKey,
  TIDEMARK_READ_KEY: readKey,
})
const command = (...args: string[]) => [process.execPath, BIN, ...args]

beforeAll(async () => {
  service = await sharedService()
})

describe('tidemark deploy', () => {
  it('records the run of each CI system, and updates it when the step is run again', async () => {
    const shop = await project('deploys')
    for (const { name, env, event, payload, again } of CI_ENVIRONMENTS) {
      const cwd = temporaryFolder()
      if (payload) writeFileSync(join(cwd, 'event.json'), JSON.stringify(payload))
      // One project for all: another environment each, so that the events do not meet.
      const environment = `Prod ${name}`
      const deploy = (more: Record<string, string>) =>
        run(command('deploy', '--environment', environment, '--json'), {
          cwd,
          env: { ...env, ...(payload ? { GITHUB_EVENT_PATH: join(cwd, 'event.json') } : {}), ...keysOf(shop), ...more },
        })
      const [first, second] = [await deploy({}), await deploy(again)]
      expect([first, second], name).toMatchObject([
        { code: 0, stderr: '' },
        { code: 0, stderr: '' },
      ])
      const { externalId: _, url, ...told } = event
      expect(JSON.parse(first.stdout), name).toMatchObject({ created: true, deploy: { ...told, environment } })
      expect(JSON.parse(first.stdout).deploy.url, name).toBe(url ?? null)
      expect(JSON.parse(second.stdout), name).toMatchObject({
        created: false,
        deploy: { id: JSON.parse(first.stdout).deploy.id },
      })
    }
  })

  it('tells a person what came before and where to look', async () => {
    const shop = await project('deploys of a person')
    const deploy = (sha: string, at: string) =>
      run(command('deploy', '--environment', 'production', '--sha', sha, '--deployed-at', at), { env: keysOf(shop) })
    await deploy('1111111', '2026-01-31T12:00:00Z')
    const { code, stdout, stderr } = await deploy('2222222', '2026-01-31T13:30:00Z')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Recorded the succeeded deploy of 2222222 to production\.\nPrevious: 1111111, 1 h 30 min earlier \(2026-01-31T12:00:00Z\)\.\nhttp:\/\/\S+\/deploys\/dep_\S+\n$/,
    )
  })

  it('ends with a failure and one clear sentence when the deploy was not recorded', async () => {
    const { readKey, ingestKey } = await project('refused deploys')
    const deploy = (env: Record<string, string>, ...args: string[]) =>
      run(command('deploy', '--environment', 'e', '--sha', 's', ...args), {
        env: { TIDEMARK_URL: service.url, ...env },
      })
    const unknown = ingestKey.replace(/.{4}$/, 'AAAA')
    expect(await deploy({ TIDEMARK_INGEST_KEY: unknown })).toMatchObject({ code: 1, stdout: '' })
    expect((await deploy({ TIDEMARK_INGEST_KEY: readKey })).stderr).toContain('TIDEMARK_INGEST_KEY holds a read key')
    const refused = await deploy({ TIDEMARK_INGEST_KEY: ingestKey }, '--run-url', 'nowhere', '--deployed-at', 'today')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^Error: The deploy was not recorded\..*deployedAt must be .*url must be /)
    const nothing = await run(command('deploy', '--json'), { env: { TIDEMARK_URL: 'nowhere' } })
    expect(nothing.code).toBe(1)
    const { message } = JSON.parse(nothing.stdout).error
    for (const word of ['TIDEMARK_URL', 'TIDEMARK_INGEST_KEY', '--environment', '--sha'])
      expect(message).toContain(word)
  })
})

describe('tidemark logs', () => {
  it('shows records and deploys in their order, and never lets a record drive the terminal', async () => {
    const shop = await project('logs')
    const nowMs = Date.now()
    const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1_000).toISOString()
    const error = { type: 'TypeError', message: 'no', stack: 'TypeError: no\n    at add (cart.js:1:2)' }
    await sendLogs(service, shop, [
      { timestamp: at(30), message: 'before \u001b]0;owned\u0007\u001b[2J', environment: 'production', service: 'api' },
      { timestamp: at(10), message: 'after', level: 'error', environment: 'production', service: 'api', error },
    ])
    const deployed = ['--environment', 'production', '--sha', SHA, '--deployed-at', at(20)]
    await run(command('deploy', ...deployed), { env: keysOf(shop) })
    await settled(service)
    const { code, stdout, stderr } = await run(command('logs', '--since', '5m'), { env: keysOf(shop) })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^\S+Z {2}/, ''))).toEqual([
      expect.stringMatching(/^INFO {3}production {2}api {2}before /),
      expect.stringMatching(/^===== production {2}deploy 4f1c2d3 =====$/),
      expect.stringMatching(/^ERROR {2}production {2}api {2}after/),
      '    TypeError: no',
      '        at add (cart.js:1:2)',
    ])
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
    const asJson = await run(command('logs', 'after', '--json', '--level', '>=warn'), { env: keysOf(shop) })
    expect(
      asJson.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    ).toEqual(['deploy', 'log'])
    const wrong = await run(command('logs', 'level:>>x'), { env: keysOf(shop) })
    expect(wrong).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: The question was not answered\. /),
    })
  })

  it('ends quietly when nobody reads on', async () => {
    const shop = await project('piped')
    await sendLogs(
      service,
      shop,
      Array.from({ length: 500 }, (_, index) => ({ message: `${index} ${'x'.repeat(500)}` })),
    )
    await settled(service)
    const script = `set -o pipefail; "${process.execPath}" "${BIN}" logs --limit 500 | head -n 1`
    const { code, stdout, stderr } = await run(['bash', '-c', script], { env: keysOf(shop) })
    expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 })
  })

  it('follows: every record and deploy once, until Ctrl-C', async () => {
    const shop = await project('followed')
    await sendLogs(service, shop, [{ message: 'history' }])
    await settled(service)
    const { child, stdout, stderr, ended } = start(command('logs', '--follow', '--json'), { env: keysOf(shop) })
    const messages = () =>
      stdout()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map((row) => row.message ?? row.sha)
    await until('the history was never shown', () => stdout().includes('history'), TEST_PATIENCE_MS)
    const names = Array.from({ length: 60 }, (_, index) => `live ${index}`)
    for (let from = 0; from < names.length; from += 10) {
      await sendLogs(
        service,
        shop,
        names.slice(from, from + 10).map((message) => ({ message })),
      )
    }
    await run(command('deploy', '--environment', 'production', '--sha', SHA), { env: keysOf(shop) })
    await until('62 rows were never shown', () => messages().length >= 62, TEST_PATIENCE_MS)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(messages().sort()).toEqual(['history', ...names, SHA].sort())
    expect(stderr()).toBe('')
  })

  it('stops following with the reason when the key is revoked', async () => {
    const shop = await project('revoked')
    const { stderr, ended } = start(command('logs', '--follow'), { env: keysOf(shop) })
    await withControl({ dataDir: service.dataDir }, async (control) => {
      const keys = await control.keys.list(shop.id as Parameters<typeof control.keys.list>[0])
      const read = keys.find(({ kind }) => kind === 'read')
      await control.keys.revoke(read?.id ?? '', { by: 'operator', nowMs: Date.now() })
    })
    expect(await ended).toBe(1)
    expect(stderr()).toMatch(/^Error: /)
  })
})

describe('tidemark import', () => {
  it('goes on after kill -9, and every record is stored exactly once', { timeout: 400_000 }, async () => {
    // A request a second, so that there is time to kill it in the middle.
    const shop = await createProject({ dataDir: service.dataDir }, 'imported', { maxRequestsPerSecond: 1 })
    const folder = temporaryFolder()
    const path = join(folder, 'app.ndjson')
    const names = Array.from({ length: 30_000 }, (_, index) => `order ${index} was shipped`)
    writeFileSync(path, names.map((message) => `${JSON.stringify({ message })}\n`).join(''))
    const options = { cwd: folder, env: { ...keysOf(shop), XDG_STATE_HOME: join(folder, 'state') } }
    const args = ['import', path, '--environment', 'production', '--service', 'importer']
    const killed = start(command(...args), options)
    const state = join(folder, 'state', 'tidemark')
    await until(
      'there was never any progress',
      () => existsSync(state) && readdirSync(state).some((name) => name.endsWith('.json')),
      TEST_PATIENCE_MS,
    )
    killed.child.kill('SIGKILL')
    expect(await killed.ended).toBe(null)

    const resumed = await run(command(...args, '--resume', '--json'), options)
    expect(resumed.code, resumed.stderr).toBe(0)
    const { files, accepted, rejected } = JSON.parse(resumed.stdout)
    expect({ rejected, complete: files[0].complete }).toEqual({ rejected: 0, complete: true })
    expect(files[0].resumedRecords).toBeGreaterThan(0)
    expect(accepted + files[0].resumedRecords).toBe(names.length)
    expect(readdirSync(state)).toEqual([])
    // Again from the beginning: the service has all of it.
    expect((await run(command(...args), options)).code).toBe(0)
    await settled(service)
    const exported = await get(service, shop.readKey, '/api/logs/export', { from: '-1h' })
    const stored = exported.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(stored.map(({ message }) => message).sort()).toEqual([...names].sort())
    expect(new Set(stored.map(({ environment, service: name }) => `${environment} ${name}`))).toEqual(
      new Set(['production importer']),
    )
  })

  it('that Ctrl-C stops ends with 130 and says how to continue', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'app.ndjson')
    writeFileSync(path, '{"message":"shipped"}\n'.repeat(200_000))
    const env = { TIDEMARK_INGEST_KEY: 'tidemark_ingest_x', XDG_STATE_HOME: join(folder, 'state') }
    let stopped: ReturnType<typeof start> | undefined
    // Forty batches: whatever is on its way when the signal comes, the last of them is not.
    const taking = createServer((request, answer) => {
      if (!stopped?.child.killed) stopped?.child.kill('SIGINT')
      const accepted = { accepted: 5_000, rejected: [] }
      request.resume().on('end', () => answer.end(JSON.stringify(accepted)))
    })
    onTestFinished(() => void taking.close())
    const url = `http://127.0.0.1:${await listening(taking)}`
    stopped = start(command('import', path), { env: { ...env, TIDEMARK_URL: url } })
    expect(await stopped.ended).toBe(130)
    expect(stopped.stderr()).toContain('The import is not complete. Run the same command with --resume to continue.')
  })

  it('reads text from standard input, and says what was too old to be stored', async () => {
    const shop = await project('text')
    const now = new Date().toISOString().replace('T', ' ').slice(0, 19)
    const stdin = [
      `${now} ERROR failed`,
      'java.lang.IllegalStateException: no stock',
      '\tat shop.Cart.add(Cart.java:12)',
      '2001-01-01 00:00:00 INFO long ago',
      `${now} INFO fine`,
    ].join('\n')
    const { code, stdout, stderr } = await run(command('import', '-', '--service', 'java'), {
      env: keysOf(shop),
      stdin,
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'standard input: read as text, 2 records stored.\n' })
    expect(stderr).toMatch(
      /1 record was not stored:\n {2}1 × .*older than the project keeps records.*\(first at line 4\)/,
    )
    expect(stderr).toContain('tidemark project set P --retention-days N')
    await settled(service)
    const { body } = await get(service, shop.readKey, '/api/logs', { query: 'level:error' })
    expect(body.rows).toMatchObject([
      { level: 'error', service: 'java', error: { type: 'java.lang.IllegalStateException' } },
    ])
  })
})

describe('tidemark mcp', () => {
  const bridge = (shop: TestProject) => ({
    command: process.execPath,
    args: [BIN, 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...keysOf(shop) },
  })

  it('serves the first official client', async () => {
    const client = new FirstClient({ name: 'end to end', version: '1.0.0' })
    const shop = await project('first client')
    await client.connect(new FirstTransport(bridge(shop)))
    onTestFinished(() => client.close())
    expect(client.getServerVersion()?.name).toBe('tidemark')
    const { tools } = await client.listTools()
    const answers = await Promise.all(
      ['list_projects', 'list_logs', 'list_deploys'].map((name) => client.callTool({ name, arguments: {} })),
    )
    expect(tools.map(({ name }) => name)).toContain('list_logs')
    for (const answer of answers) expect(answer.isError ?? false).toBe(false)
    expect(answers[0]).toMatchObject({ structuredContent: { projects: [{ name: shop.name }] } })
  })

  it.each([
    ['an older revision', {}],
    ['the stateless revision', { versionNegotiation: { mode: 'auto' as const } }],
  ])('serves the second official client with %s', async (_, options) => {
    const client = new Client({ name: 'end to end', version: '1.0.0' }, options)
    const shop = await project(`second client ${_}`)
    await client.connect(new StdioClientTransport(bridge(shop)))
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('list_logs')
    const answer = await client.callTool({ name: 'list_projects', arguments: {} })
    expect(answer).toMatchObject({ structuredContent: { projects: [{ name: shop.name }] } })
  })

  it('answers with an error and stays when the key is refused', async () => {
    const shop = await project('refused')
    const env = { ...keysOf(shop), TIDEMARK_READ_KEY: shop.readKey.replace(/.{4}$/, 'AAAA') }
    const stdin = [1, 2].map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`).join('')
    const { code, stdout, stderr } = await run(command('mcp'), { env, stdin })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2])
    for (const { error } of answers) expect(error.message).toMatch(/^The read key was refused \(401\): /)
  })
})
