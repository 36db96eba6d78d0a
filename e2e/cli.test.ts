import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { commandInProcess } from './support/clients/in-process.ts'
import { listening } from './support/listening.ts'
import { temporaryFolder } from './support/service/processes.ts'
import { type CommandResult, type Service, startService, tidemark } from './support/service/service.ts'
import { isSeveralNodes } from './support/service/stores.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const SECRET = /tidemark_(?:read|ingest)_[0-9A-Za-z]{36}/g
const PROJECT_ID = /^prj_[0-9a-f-]{36}$/
const KEY_ID = /^key_[0-9a-f-]{36}$/

/** One store for the whole file; each describe uses projects of its own. */
const dataDir = join(temporaryFolder(), 'data')
const run = (...args: string[]) => commandInProcess(args, { dataDir })

let shop: { project: { id: string; name: string }; ingestKey: string; readKey: string }

beforeAll(async () => {
  const made = await tidemark(['project', 'create', 'shop', '--json'], { dataDir })
  expect(made).toMatchObject({ code: 0 })
  shop = made.json()
})

describe('tidemark project', () => {
  it('create --json prints the project and its two keys, without a service and without a data folder', () => {
    expect(shop).toEqual({
      project: { id: expect.stringMatching(PROJECT_ID), name: 'shop' },
      ingestKey: expect.stringMatching(/^tidemark_ingest_[0-9A-Za-z]{36}$/),
      readKey: expect.stringMatching(/^tidemark_read_[0-9A-Za-z]{36}$/),
    })
  })

  it('create tells a person to keep the keys, and shows lines that use them', async () => {
    const { code, stdout, stderr } = await run('project', 'create', 'Grüße 🚀')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Project Grüße 🚀 is ready \(prj_/)
    expect(stdout).toContain('The keys are shown only this once: keep them now.')
    const [ingestKey, readKey] = stdout.match(SECRET) ?? []
    expect(stdout).toMatch(new RegExp(`curl .*/v1/logs .*${ingestKey}`))
    expect(stdout).toMatch(new RegExp(`curl .*/v1/deploys .*${ingestKey}`))
    expect(stdout).toMatch(new RegExp(`/mcp .*${readKey}`))
    expect(new Set(stdout.match(SECRET)).size).toBe(2)
  })

  it('list shows the newest first, never a key', async () => {
    const [asJson, asTable] = await Promise.all([run('project', 'list', '--json'), run('project', 'list')])
    expect(asJson.json().projects.map(({ name }: { name: string }) => name)).toEqual(['Grüße 🚀', 'shop'])
    expect(asJson.json().projects[1]).toMatchObject({ id: shop.project.id, createdAt: expect.stringMatching(ISO_TIME) })
    expect(asTable.stdout).toMatch(
      /^ID +NAME +RETENTION +CREATED\nprj_\S+ +Grüße 🚀 +30 days .*\nprj_\S+ +shop +30 days .*\n$/,
    )
    expect(asJson.stdout + asTable.stdout).not.toMatch(SECRET)
  })

  it('list of nothing says how to make one', async () => {
    const dataDir = temporaryFolder()
    const { id } = (await tidemark(['project', 'create', 'only', '--json'], { dataDir })).json().project
    await tidemark(['project', 'delete', id, '--yes'], { dataDir })
    const [asTable, asJson] = await Promise.all([
      tidemark(['project', 'list'], { dataDir }),
      tidemark(['project', 'list', '--json'], { dataDir }),
    ])
    expect(asTable.stdout).toBe('No project yet. Make one: tidemark project create NAME\n')
    expect(asJson.json()).toEqual({ projects: [] })
  })

  it('rename finds the project by id or by name in any letter case', async () => {
    const { id } = (await run('project', 'create', 'before', '--json')).json().project
    expect((await run('project', 'rename', 'BEFORE', 'between')).stdout).toBe(`Project ${id} is now called between.\n`)
    expect((await run('project', 'rename', id, 'after', '--json')).json()).toEqual({ project: { id, name: 'after' } })
    expectFailure(await run('project', 'rename', 'after', 'Shop'), 'name')
  })

  it('delete kills the keys and frees the name', async () => {
    const made = (await run('project', 'create', 'short lived', '--json')).json()
    const [key] = (await run('key', 'list', '--project', made.project.id, '--json')).json().keys
    const deleted = await run('project', 'delete', 'short lived', '--yes', '--json')
    expect(deleted.json()).toEqual({ deleted: made.project })
    expect((await run('key', 'revoke', key.id, '--json')).json()).toMatchObject({
      key: { id: key.id, revokedAt: expect.stringMatching(ISO_TIME) },
      changed: false,
    })
    expectFailure(await run('project', 'delete', made.project.id, '--yes'), 'No project')
    const again = (await run('project', 'create', 'short lived', '--json')).json()
    expect(again.project.id).not.toBe(made.project.id)
    expectFailure(await run('project', 'delete', again.project.id), '2 working keys')
    expect((await run('project', 'delete', again.project.id, '--yes')).stdout).toMatch(
      /is deleted\. Its keys no longer work\.\n$/,
    )
  })
})

it.each([
  ['project', 'list'],
  ['key', 'list', '--project', 'shop'],
  ['redact', 'password=x', '--project', 'shop'],
  ['repository', 'show', '--project', 'shop'],
  ['sourcemaps', 'list', '--project', 'shop'],
  ['sourcemaps', 'list', '--project', 'shop', '--release', '1.0'],
])('tidemark %s %s in a mistyped folder makes no store there', async (...args) => {
  const mistyped = join(temporaryFolder(), 'data')
  expectFailure(await commandInProcess(args, { dataDir: mistyped }), 'There is no control store in')
  expect(existsSync(mistyped)).toBe(false)
})

describe('tidemark owner-link', () => {
  it('prints a fresh one-time link, and JSON when asked', async () => {
    const [plain, asJson] = [await run('owner-link'), await run('owner-link', '--json')]
    const link = /^http:\/\/localhost:\d+\/welcome#[\w-]{32}$/
    expect(plain.stdout.split('\n')[0]?.trim()).toMatch(link)
    expect(asJson.json().link).toMatch(link)
    expect(plain.stdout).not.toContain(asJson.json().link)
  })
})

describe('tidemark member reset-password', () => {
  it('refuses an e-mail without an account', async () => {
    expectFailure(await run('member', 'reset-password', 'no-one@example.com'), 'No account has the e-mail')
  })
})

describe('tidemark key', () => {
  it('create --json prints the key and its secret, which stands nowhere else', async () => {
    const made = (await run('key', 'create', '--project', 'shop', '--kind', 'read', '--name', 'agent', '--json')).json()
    expect(made).toEqual({
      key: {
        id: expect.stringMatching(KEY_ID),
        kind: 'read',
        name: 'agent',
        createdAt: expect.stringMatching(ISO_TIME),
        expiresAt: null,
      },
      secret: expect.stringMatching(/^tidemark_read_[0-9A-Za-z]{36}$/),
    })
    const [asJson, asTable] = await Promise.all([
      run('key', 'list', '--project', shop.project.id, '--json'),
      run('key', 'list', '--project', 'shop'),
    ])
    expect(asJson.stdout + asTable.stdout).not.toMatch(SECRET)
    expect(asJson.json().keys[0]).toMatchObject({ id: made.key.id, lastFour: made.secret.slice(-4), lastUsedAt: null })
    expect(asTable.stdout).toMatch(
      new RegExp(`${made.key.id} +read +agent +…${made.secret.slice(-4)} .*never +active\\n`),
    )
  })

  it('create shows the secret to a person once', async () => {
    const { code, stdout } = await run('key', 'create', '--project', 'shop', '--kind', 'ingest')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Made ingest key ingest \(key_\S+\)\.\n\n {2}tidemark_ingest_\S+\n\nIt is shown only this once/,
    )
    expect(stdout.match(SECRET)).toHaveLength(1)
  })

  it('create shows the signing token of a key for webhooks with it', async () => {
    const args = ['key', 'create', '--project', 'shop', '--kind', 'webhook']
    expect((await run(...args)).stdout).toMatch(
      /\n\nAs a signing token for GitLab:\n\n {2}whsec_\S+\n\nIt is shown only this/,
    )
    expect((await run(...args, '--json')).json()).toMatchObject({ signingToken: expect.stringMatching(/^whsec_/) })
  })

  it('create --expires-in sets when the key ends', async () => {
    const args = ['key', 'create', '--project', 'shop', '--kind', 'ingest', '--expires-in']
    const { key } = (await run(...args, '90d', '--json')).json()
    expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBe(90 * 24 * 3_600_000)
    expect((await run(...args, '12h')).stdout).toMatch(/, valid until \d{4}-\d\d-\d\dT/)
  })

  it('revoke says whether it was this call, and twice does no harm', async () => {
    const { key } = (await run('key', 'create', '--project', 'shop', '--kind', 'read', '--json')).json()
    const first = (await run('key', 'revoke', key.id, '--json')).json()
    expect(first).toEqual({
      key: { id: key.id, kind: 'read', name: 'read', revokedAt: expect.stringMatching(ISO_TIME) },
      changed: true,
    })
    const second = await run('key', 'revoke', key.id)
    expect(second).toMatchObject({ code: 0, stdout: `Key ${key.id} was revoked already, at ${first.key.revokedAt}.\n` })
    expect((await run('key', 'list', '--project', 'shop')).stdout).toContain(`revoked ${first.key.revokedAt}`)
  })
})

describe('a mistake', () => {
  const key = ['key', 'create', '--project']
  it.each<[string, string[], string, string]>([
    ['an unknown project', ['key', 'list', '--project', 'shopp'], 'not_found', 'shopp'],
    ['a name that is taken in another letter case', ['project', 'create', 'SHOP'], 'conflict', 'SHOP'],
    ['a name with control characters', ['project', 'create', 'a\u001b[31mb'], 'invalid_request', 'control'],
    ['a kind that is none', [...key, 'shop', '--kind', 'write'], 'invalid_request', 'read, ingest or webhook'],
    ['a lifetime that is none', [...key, 'shop', '--kind', 'read', '--expires-in', 'soon'], 'invalid_request', '90d'],
    ['an unknown key', ['key', 'revoke', 'key_nothing'], 'not_found', 'key_nothing'],
  ])('such as %s is one sentence and exit code 1, with --json a code too', async (_, args, code, hint) => {
    const [forPeople, forPrograms] = await Promise.all([run(...args), run(...args, '--json')])
    expectFailure(forPeople, hint)
    expect(forPrograms).toMatchObject({ code: 1, stderr: '' })
    expect(forPrograms.json()).toEqual({ error: { code, message: expect.stringContaining(hint) } })
  })

  it('in the text that was typed does not reach the terminal as control characters', async () => {
    const { code, stderr } = await run('key', 'list', '--project', 'a\u001b]0;owned\u0007b')
    expect(code).toBe(1)
    expect(stderr.replace(/\n$/, '')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  })

  it.each<[string, string[], string]>([
    ['an unknown command', ['projekt'], "unknown command 'projekt'"],
    ['an unknown option', ['project', 'list', '--jsn'], "unknown option '--jsn'"],
    ['a missing argument', ['project', 'create'], "missing required argument 'name'"],
    ['a missing option', ['key', 'create', '--kind', 'read'], "required option '--project <project>' not specified"],
  ])('such as %s points to the help', async (_, args, hint) => {
    const { code, stdout, stderr } = await run(...args)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(hint)
    expect(stderr).toContain('--help')
  })

  it('in the configuration is told as such', async () => {
    const env = { TIDEMARK_RETENTION_DAYS: '0' }
    const [forPeople, forPrograms] = await Promise.all([
      tidemark(['project', 'list'], { env }),
      tidemark(['project', 'list', '--json'], { env }),
    ])
    expect(forPeople.code).toBe(1)
    expect(forPeople.stderr).toContain('TIDEMARK_RETENTION_DAYS must be a whole number from 1 to 3650')
    expect(forPrograms.json()).toMatchObject({ error: { code: 'invalid_configuration' } })
  })
})

describe('--help', () => {
  it.each([
    [[], ['serve', 'project', 'key', 'doctor']],
    [['project'], ['create', 'list', 'rename', 'delete']],
    [
      ['project', 'create'],
      ['<name>', '--json'],
    ],
    [['key'], ['create', 'list', 'revoke']],
    [
      ['key', 'create'],
      ['--project', '--kind', '--name', '--expires-in', '--json'],
    ],
    [
      ['key', 'revoke'],
      ['<id>', '--json'],
    ],
    [['doctor'], ['--json']],
    [['serve'], []],
  ])('of `tidemark %s` names what is possible', async (command, words) => {
    const { code, stdout, stderr } = await run(...command, '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: tidemark/)
    for (const word of words) expect(stdout).toContain(word)
  })
})

describe('beside a running service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ dataDir })
  })

  it('every command works, several at once, and the service stays ready', async () => {
    const names = ['one', 'two', 'three', 'four']
    const made = await Promise.all(names.map((name) => tidemark(['project', 'create', name, '--json'], { dataDir })))
    expect(made.map((result) => result.json().project.name)).toEqual(names)
    expect((await run('project', 'list', '--json')).json().projects).toHaveLength(7)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })

  it('doctor finds it running and everything in order', async () => {
    const env = { TIDEMARK_PORT: String(service.port) }
    const { code, json } = await tidemark(['doctor', '--json'], { dataDir, env })
    const { healthy, checks } = json()
    expect({ code, healthy }).toEqual({ code: 0, healthy: true })
    expect(checks).toContainEqual({
      name: 'service',
      state: 'ok',
      message: `running and ready on port ${service.port}`,
    })
    const [control, logs] = isSeveralNodes ? ['PostgreSQL', 'ClickHouse'] : ['SQLite', 'embedded']
    expect(checks).toContainEqual({
      name: `control store (${control})`,
      state: 'ok',
      message: expect.stringMatching(/^answers, version \d+ as in this build, 7 projects$/),
    })
    expect(checks).toContainEqual(expect.objectContaining({ name: `log store (${logs})` }))
  })
})

describe('tidemark doctor', () => {
  it('is content before the first start and makes nothing', async () => {
    const folder = join(temporaryFolder(), 'not-yet')
    const { code, stdout } = await tidemark(['doctor'], { dataDir: folder })
    expect(code).toBe(0)
    expect(stdout).toContain(`data folder: ${folder} (made at the first start)`)
    expect(existsSync(folder)).toBe(false)
    mkdirSync(folder)
    expect((await tidemark(['doctor'], { dataDir: folder })).code).toBe(0)
    expect(readdirSync(folder)).toEqual([])
  })

  it('names every problem and exits with 1', async () => {
    const other = createServer((_, response) => response.end('hello'))
    onTestFinished(() => void other.close())
    const port = await listening(other)
    const env = { TIDEMARK_PORT: String(port), TIDEMARK_RETENTION_DAY: '7' }
    const { code, json } = await tidemark(['doctor', '--json'], { dataDir, env })
    expect(code).toBe(1)
    expect(json().healthy).toBe(false)
    expect(json().checks).toEqual(
      expect.arrayContaining([
        {
          name: 'port',
          state: 'problem',
          message: `${port} is taken by another program: stop it, or set TIDEMARK_PORT`,
        },
        {
          name: 'configuration',
          state: 'warning',
          message: 'TIDEMARK_RETENTION_DAY is not known and is ignored: check its spelling',
        },
      ]),
    )
  })

  it('says that a ClickHouse server does not answer, and that git is too old', async () => {
    const bin = temporaryFolder()
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 })
    const env = { TIDEMARK_CLICKHOUSE_URL: 'http://ada:hunter2@127.0.0.1:9', PATH: `${bin}:${process.env.PATH}` }
    const { code, json, stdout } = await tidemark(['doctor', '--json'], { dataDir, env })
    expect(code).toBe(1)
    expect(stdout).not.toContain('hunter2')
    expect(json().checks).toEqual(
      expect.arrayContaining([
        {
          name: 'log store (ClickHouse)',
          state: 'problem',
          message: '127.0.0.1:9 does not answer as a ClickHouse server: check TIDEMARK_CLICKHOUSE_URL',
        },
        {
          name: 'git',
          state: 'warning',
          message: 'git version 2.30.2 is too old: repositories need git 2.37 or newer',
        },
      ]),
    )
  })

  it('lists the mistakes of the configuration without its secrets', async () => {
    const env = { TIDEMARK_SECRET_KEY: 'too-short-secret', TIDEMARK_PORT: 'x' }
    const { code, stdout } = await tidemark(['doctor'], { env })
    expect(code).toBe(1)
    expect(stdout).toMatch(/bad .*TIDEMARK_SECRET_KEY must be at least 32 characters/)
    expect(stdout).toMatch(/bad .*TIDEMARK_PORT must be /)
    expect(stdout).not.toContain('too-short-secret')
  })
})

/** One sentence on standard error, nothing on standard output, exit code 1. */
function expectFailure({ code, stdout, stderr }: CommandResult, hint: string): void {
  expect(stderr).toMatch(/^Error: [^\n]+\n$/)
  expect(stderr).toContain(hint)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
}
