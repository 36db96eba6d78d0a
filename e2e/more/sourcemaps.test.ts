/** Errors of a minified bundle, read by its source maps: shown, grouped and matched with commits by their source positions. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { withoutSources } from '../../packages/cli/src/sourcemaps/map-body.ts'
import type { ProjectId } from '../../packages/server/src/model/project.ts'
import { createSource } from '../../packages/server/src/repository/testing/source-repository.ts'
import { MINUTE_MS } from '../../packages/wire/src/time/units.ts'
import { parseYaml } from '../docs-snippets/plain-yaml.ts'
import { browserUnavailable, openPage } from '../support/browser/browser.ts'
import { sessionCookie } from '../support/browser/dashboard-owner.ts'
import { BIN, run } from '../support/clients/cli-client-process.ts'
import { connect } from '../support/clients/mcp-clients.ts'
import { get, sendDeploy } from '../support/clients/reading-api.ts'
import { listening } from '../support/listening.ts'
import { bundle, PAYING, SHOP_FILES, writeFiles } from '../support/sdk/bundled-shop.ts'
import { createSdkProject, runProgram } from '../support/sdk/sdk-project.ts'
import { analysed, errorsOf } from '../support/service/analysed.ts'
import { createProject, type TestProject, withControl } from '../support/service/ingest-project.ts'
import { mirrored } from '../support/service/mirrored.ts'
import { checkout, temporaryFolder } from '../support/service/processes.ts'
import { type Service, sharedService, tidemark } from '../support/service/service.ts'

const LOCAL = { TIDEMARK_ALLOW_LOCAL_REPOSITORIES: 'true' }
const TIMEOUT_MS = 600_000
const ORIGIN = 'https://shop.example/static'
const SCRIPT = join(checkout, 'ci/upload-sourcemaps/upload-sourcemaps.sh')

let service: Service
let sdk: string

beforeAll(async () => {
  service = await sharedService()
  sdk = createSdkProject()
}, 240_000)

function shopFolder(): { folder: string; commit: (title: string, files: Record<string, string>) => string } {
  const { path: folder, commit } = createSource(temporaryFolder())
  // What is built there is no part of it.
  writeFileSync(join(folder, '.git/info/exclude'), '/*\n!/src\n')
  const committedAt = Math.floor(Date.now() / 1_000)
  return { folder, commit: (message, files) => commit({ message, files, committedAt }) }
}

const BROKEN = SHOP_FILES['src/price.ts'].replace(
  'item.price?.amount ?? 0',
  '(item.price as { amount: number }).amount',
)

type Action = {
  inputs: Record<string, unknown>
  runs: { steps: { env: Record<string, string>; run: string }[] }
}

const upload = (project: TestProject, folder: string, release: string, ...more: string[]) =>
  run([process.execPath, BIN, 'sourcemaps', 'upload', folder, '--release', release, ...more], {
    env: { TIDEMARK_URL: service.url, TIDEMARK_INGEST_KEY: project.ingestKey },
  })

async function pay(project: TestProject, path: string, release: string): Promise<void> {
  const env = { TIDEMARK_URL: service.url, TIDEMARK_INGEST_KEY: project.ingestKey, TIDEMARK_RELEASE: release }
  const ended = await runProgram(sdk, 'pay.mjs', PAYING, { ...env, BUNDLE: path, ORIGIN })
  expect(ended).toMatchObject({ code: 0 })
}

const detail = async (project: TestProject, id: string) =>
  (await get(service, project.readKey, `/api/analyses/${id}`)).body.analysis

describe('errors of a bundle', () => {
  it(
    'are one analysis by their source positions in every build, with the commit that broke them',
    async () => {
      const project = await createProject(service, 'bundle')
      const { folder, commit } = shopFolder()
      const first = commit('Begin', SHOP_FILES)
      const guilty = commit('Trust that every item has a price', { 'src/price.ts': BROKEN })
      const connecting = ['repository', 'connect', '--project', project.id, folder]
      expect(await tidemark(connecting, { dataDir: service.dataDir, env: LOCAL })).toMatchObject({ code: 0 })
      const deploy = (sha: string, minutesAgo: number) => {
        const deployedAt = new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString()
        return sendDeploy(service, project, { sha, environment: 'production', deployedAt })
      }
      await deploy(first, 600)
      await deploy(guilty, 1)

      const one = bundle(folder)
      const positions = positionsOf(one)
      const sent = await upload(project, join(folder, 'dist'), guilty)
      expect(sent).toMatchObject({ code: 0, stderr: '' })
      expect(sent.stdout).toBe(`created    assets/${basename(one)}\n1 source map of release ${guilty} can be used.\n`)
      await pay(project, one, guilty)

      // The same fault in another build: other code before it, so other positions, and other names for the same functions.
      const moved = commit('Greet', {
        'src/greet.ts': `${[...Array(60).keys()]
          .map((at) => `export function greet${at}(name: string) { return name + ${at} }`)
          .join('\n')}\n`,
        'src/main.ts': `import * as greetings from './greet.ts'\n${SHOP_FILES['src/main.ts']}Object.assign(globalThis, greetings)\n`,
      })
      const two = bundle(folder)
      expect(positionsOf(two)).not.toEqual(positions)
      expect(await upload(project, join(folder, 'dist'), moved)).toMatchObject({ code: 0 })
      await pay(project, two, moved)

      const found = await analysed(service, project.id, (all) => errorsOf(all) === 2)
      expect(found).toHaveLength(1)
      const { id } = found[0]!
      await mirrored(service, project.id)
      const analysis = await detail(project, id)
      expect(analysis.isSourceMapped).toBe(true)
      expect(analysis.stack[0].frames.slice(0, 3)).toMatchObject([
        { function: 'priceOf', file: 'src/price.ts', line: 4, inApp: true },
        { function: 'totalOf', file: 'src/cart.ts', line: 5, inApp: true },
        { function: 'submit', file: 'src/main.ts', line: 5, inApp: true },
      ])
      expect(analysis.where).toBe('priceOf (src/price.ts)')
      expect(analysis.rawStack).toContain(`${ORIGIN}/assets/${basename(one)}:1:`)
      expect(analysis.rawStack).not.toContain('src/price.ts')
      expect(analysis.suspects[0]).toMatchObject({
        sha: guilty,
        reason: 'changes line 4 of src/price.ts, where the error is thrown',
      })
      expect(analysis.source[0]).toMatchObject({ file: 'src/price.ts', line: 4 })
      expect(analysis.releases.map(({ value }: { value: string }) => value).sort()).toEqual([guilty, moved].sort())

      // Records keep what was sent, and are found by the fingerprint of the analysis.
      const records = await get(service, project.readKey, '/api/logs', { query: `fingerprint:${analysis.fingerprint}` })
      const logs = records.body.rows.filter(({ kind }: { kind: string }) => kind === 'log')
      expect(logs).toHaveLength(2)
      for (const { error } of logs) expect(error.stack).toContain(ORIGIN)

      const client = await connect('the second client', service.url, project.readKey)
      const { content } = await client.callTool('get_analysis', { id })
      expect(content[0]?.text).toContain('priceOf (src/price.ts:4')
      expect(content[0]?.text).toContain('read from source maps')
    },
    TIMEOUT_MS,
  )

  it(
    'are as they were sent without maps, and maps of one project are nothing to another',
    async () => {
      const [mapped, plain] = [await createProject(service, 'mapped'), await createProject(service, 'plain')]
      const { folder, commit } = shopFolder()
      commit('Begin', { ...SHOP_FILES, 'src/price.ts': BROKEN })
      const path = bundle(folder)
      expect(await upload(mapped, join(folder, 'dist'), '1.0')).toMatchObject({ code: 0 })
      for (const project of [mapped, plain]) await pay(project, path, '1.0')
      await pay(mapped, path, '2.0')
      const all = await analysed(service, mapped.id, (found) => errorsOf(found) === 2)
      const [own] = await analysed(service, plain.id, (found) => errorsOf(found) === 1)
      expect(all).toHaveLength(2)
      const unmapped = all.find(({ sample }) => sample.sourceStack === undefined)
      expect(own?.sample.sourceStack).toBeUndefined()
      expect(unmapped?.fingerprint).toBe(own?.fingerprint)
      expect(unmapped?.where).toContain(ORIGIN)
    },
    TIMEOUT_MS,
  )
})

/** Where the generated file reads a price. */
function positionsOf(path: string): number[] {
  return [...readFileSync(path, 'utf8').matchAll(/\.price/g)].map(({ index }) => index)
}

describe('tidemark sourcemaps', () => {
  it('sends every map of a folder once, follows no link, and keeps the sources at home', async () => {
    const project = await createProject(service, 'upload')
    const folder = temporaryFolder()
    const map = { version: 3, sources: ['../src/a.ts'], names: [], mappings: 'AAAA', sourcesContent: ['secret'] }
    writeFiles(folder, {
      'dist/b/main.js.map': JSON.stringify(map),
      'dist/a.mjs.map': JSON.stringify(map),
      'dist/style.css.map': JSON.stringify(map),
      'dist/node_modules/x/index.js.map': JSON.stringify(map),
      'elsewhere/c.js.map': JSON.stringify(map),
    })
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'dist/linked'))
    const first = await upload(project, join(folder, 'dist'), '1.0', '--json')
    expect(JSON.parse(first.stdout)).toMatchObject({
      release: '1.0',
      files: [
        { result: 'created', file: 'a.mjs' },
        { result: 'created', file: 'b/main.js' },
      ],
    })
    const again = await upload(project, join(folder, 'dist'), '1.0', '--json')
    expect(JSON.parse(again.stdout).files.map(({ result }: { result: string }) => result)).toEqual([
      'unchanged',
      'unchanged',
    ])
    const operator = (...args: string[]) =>
      tidemark(['sourcemaps', ...args, '--project', project.id, '--json'], { dataDir: service.dataDir })
    expect((await operator('list')).json()).toMatchObject({ releases: [{ release: '1.0', files: 2 }], nextAfter: null })
    expect((await operator('list', '--release', '1.0')).json().files).toMatchObject([
      { file: 'a.mjs', sources: 1, mappings: 1 },
      { file: 'b/main.js' },
    ])
    expect((await operator('delete', '--release', '1.0')).json()).toEqual({ release: '1.0', files: 2 })
    expect((await operator('delete', '--release', '1.0')).json().error).toMatchObject({ code: 'not_found' })
  })

  it('says all that is wrong at once, and what the service says of a map', async () => {
    const project = await createProject(service, 'wrong')
    const empty = temporaryFolder()
    const { code, stderr } = await run([process.execPath, BIN, 'sourcemaps', 'upload', empty], { env: {} })
    expect(code).toBe(1)
    for (const word of ['TIDEMARK_INGEST_KEY', 'The release is missing', 'no source maps'])
      expect(stderr).toContain(word)
    expect((await upload(project, empty, 'x'.repeat(256))).stderr).toContain('The release has more than 255 characters')
    writeFiles(empty, { 'a.js.map': '{"version":2}' })
    const refused = await upload(project, empty, '1.0')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain('a.js was not sent. This is not a source map of version 3')
    writeFiles(empty, { 'a.js.map': '{"sourcesContent":["secret"],' })
    const unread = await upload(project, empty, '1.0')
    expect(unread).toMatchObject({ code: 1 })
    expect(unread.stderr).toContain('a.js was not sent. a.js.map is not a source map, which is a JSON object.')
  })
})

/** A folder with what the script needs, and these; null when the machine has not got one of them. */
function toolsOf(...readers: string[]): string | null {
  const tools = temporaryFolder()
  for (const name of ['sh', 'curl', 'date', 'find', 'head', 'mktemp', 'od', 'rm', 'sed', 'tail', 'tr', ...readers]) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    if (found === '') return null
    symlinkSync(found, join(tools, name))
  }
  return tools
}

describe('the CI step', () => {
  it.each(['sh', 'bash'])('sends the maps of a build with %s, names like any', async (shell) => {
    const project = await createProject(service, `ci ${shell}`)
    const folder = join(temporaryFolder(), 'build of "shop" & co')
    mkdirSync(folder)
    const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' })
    const names = ['main.js', "it's [1] 100% ü.js", 'x&file=y.js']
    writeFiles(folder, Object.fromEntries(names.map((name) => [`assets/${name}.map`, map])))
    const env = {
      TIDEMARK_URL: service.url,
      TIDEMARK_INGEST_KEY: project.ingestKey,
      TIDEMARK_RELEASE: 'web@1.0 + ü&x',
      TIDEMARK_FOLDER: folder,
    }
    const { code, stdout, stderr } = await run([shell, SCRIPT], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('3 source maps of release web@1.0 + ü&x can be used.')
    const page = { after: '', limit: 10 }
    const files = await withControl(service, ({ sourceMaps }) =>
      sourceMaps.listFiles(project.id as ProjectId, env.TIDEMARK_RELEASE, page),
    )
    expect(files.map(({ file }) => file).sort()).toEqual(names.map((name) => `assets/${name}`).sort())
  })

  it('is what the action runs, with its inputs', async () => {
    const project = await createProject(service, 'ci action')
    const folder = temporaryFolder()
    writeFiles(folder, { 'main.js.map': JSON.stringify({ version: 3, sources: ['a.ts'], mappings: 'AAAA' }) })
    const action = parseYaml(readFileSync(join(checkout, 'ci/upload-sourcemaps/action.yml'), 'utf8')) as Action
    const inputs: Record<string, string> = { url: service.url, 'ingest-key': project.ingestKey, folder, release: '1.0' }
    expect(Object.keys(action.inputs).sort()).toEqual(Object.keys(inputs).sort())
    const [step] = action.runs.steps
    const given = Object.entries(step?.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, input: string) => inputs[input] ?? 'no such input'),
    ])
    const env = { ...Object.fromEntries(given), GITHUB_ACTION_PATH: join(checkout, 'ci/upload-sourcemaps') }
    expect(await run(['bash', '-c', step?.run ?? ''], { env })).toMatchObject({
      code: 0,
      stdout: 'main.js\n1 source map of release 1.0 can be used.\n',
    })
  })

  it('fails when anything is missing, and when the service refuses a map', async () => {
    const { code, stderr } = await run(['sh', SCRIPT], { env: {} })
    expect(code).toBe(1)
    for (const word of ['TIDEMARK_URL', 'TIDEMARK_INGEST_KEY', 'TIDEMARK_RELEASE', 'TIDEMARK_FOLDER'])
      expect(stderr).toContain(word)
    const project = await createProject(service, 'ci refused')
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.js.map'), '{"version":2}')
    const keys = { TIDEMARK_URL: service.url, TIDEMARK_INGEST_KEY: project.ingestKey }
    const env = { ...keys, TIDEMARK_RELEASE: '1', TIDEMARK_FOLDER: folder }
    const refused = await run(['sh', SCRIPT], { env })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('a.js was not sent: the service answered 400.')
    expect(refused.stdout + refused.stderr).not.toContain(project.ingestKey)
    writeFileSync(join(folder, 'a.js.map'), '{"sourcesContent":["secret"],')
    const unread = await run(['sh', SCRIPT], { env })
    expect(unread).toMatchObject({ code: 1, stdout: '' })
    expect(unread.stderr).toBe(
      'a.js was not sent: a.js.map is not a source map, which is a JSON object. Build it again.\n',
    )
  })

  it.for(['node', 'jq'])('keeps the sources at home with %s', async (reader, ctx) => {
    const tools = toolsOf(reader)
    if (tools === null) ctx.skip(`${reader} is not installed`)
    const bodies: string[] = []
    const server = createServer((request, response) => {
      text(request).then((body) => {
        bodies.push(body)
        response.writeHead(201).end('{"result":"created"}')
      })
    })
    const port = await listening(server)
    const folder = temporaryFolder()
    const map = { version: 3, sources: ['ä.ts'], names: [], mappings: 'AAAA' }
    const withSources = { ...map, sourcesContent: ['secret', null] }
    const sections = (of: object) => [{ offset: { line: 0, column: 0 }, map: of }, { url: 'x' }, null]
    writeFiles(folder, {
      'a.js.map': JSON.stringify(withSources, null, 2),
      'b.js.map': JSON.stringify({ version: 3, sections: sections(withSources), sourcesContent: ['secret'] }),
      'C.JS.MAP': `\ufeff${JSON.stringify(withSources)}`,
      'd.js.map': `)]}'\n${JSON.stringify(withSources)}`,
      'e.js.map': `)]}'${JSON.stringify(withSources)}`,
    })
    const env = {
      PATH: tools ?? '',
      TIDEMARK_URL: `http://127.0.0.1:${port}`,
      TIDEMARK_INGEST_KEY: 'key',
      TIDEMARK_RELEASE: '1',
      TIDEMARK_FOLDER: folder,
    }
    const { code, stdout, stderr } = await run([join(tools ?? '', 'sh'), SCRIPT], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const sent = bodies
      .splice(0)
      .map((body) => JSON.parse(body))
      .sort((a, b) => Number('sections' in a) - Number('sections' in b))
    expect(sent).toEqual([map, map, map, map, { version: 3, sections: sections(map) }])
    expect(stdout.split('\n')).toContain('C.JS')

    // Of what is no object nothing could be taken out, so it stays at home, as with the command line.
    const whole = JSON.stringify(withSources)
    for (const other of ['', `[${whole}]`, JSON.stringify(whole), 'null', '3', `${whole}\n${whole}`, whole.slice(1)]) {
      expect([other, withoutSources(other)]).toEqual([other, null])
      const odd = temporaryFolder()
      writeFiles(odd, { 'a.js.map': other })
      const refused = await run([join(tools ?? '', 'sh'), SCRIPT], { env: { ...env, TIDEMARK_FOLDER: odd } })
      expect(refused.stderr).toContain('a.js was not sent: a.js.map is not a source map, which is a JSON object.')
      expect(refused.code).toBe(1)
    }
    await new Promise((resolve) => server.close(resolve))
    expect(bodies).toEqual([])
  })

  it('asks again only after answers that may be others later', async () => {
    let requests = 0
    const server = createServer((request, response) => {
      requests++
      request.resume()
      response.writeHead(requests === 1 ? 502 : 500).end('of the answer')
    })
    const port = await listening(server)
    const folder = temporaryFolder()
    writeFiles(folder, { 'a.js.map': '{"version":3}' })
    const { code, stderr } = await run(['sh', SCRIPT], {
      env: {
        ...{ TIDEMARK_URL: `http://127.0.0.1:${port}`, TIDEMARK_INGEST_KEY: 'key' },
        ...{ TIDEMARK_RELEASE: '1', TIDEMARK_FOLDER: folder },
      },
    })
    await new Promise((resolve) => server.close(resolve))
    expect({ code, requests }).toEqual({ code: 1, requests: 2 })
    expect(stderr).toBe(
      'The service answered 502; trying again in 2 s.\na.js was not sent: the service answered 500.\nof the answer\n',
    )
  })

  it('sends nothing where it cannot take the sources out', async () => {
    const tools = toolsOf() ?? ''
    const { code, stdout, stderr } = await run([join(tools, 'sh'), SCRIPT], { env: { PATH: tools } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Neither node nor jq is installed')
  })
})

describe('the dashboard', () => {
  it(
    'shows both stacks of an analysis, and lists and deletes source maps',
    async (ctx) => {
      const unavailable = browserUnavailable()
      if (unavailable !== undefined) ctx.skip(unavailable)
      const project = await createProject(service, 'maps shown')
      const { folder, commit } = shopFolder()
      commit('Begin', { ...SHOP_FILES, 'src/price.ts': BROKEN })
      const path = bundle(folder)
      // A name from a map is a stranger's text.
      const mapPath = `${path}.map`
      const hostile = readFileSync(mapPath, 'utf8').replaceAll(
        '../../src/cart.ts',
        '../<img src=x onerror=alert(1)>/cart.ts',
      )
      writeFileSync(`${mapPath}.new`, hostile)
      renameSync(`${mapPath}.new`, mapPath)
      expect(readdirSync(join(folder, 'dist/assets'))).toHaveLength(2)
      expect(await upload(project, join(folder, 'dist'), '1.0')).toMatchObject({ code: 0 })
      await pay(project, path, '1.0')
      const [{ id } = { id: '' }] = await analysed(service, project.id, (found) => errorsOf(found) === 1)
      const session = await withControl(service, async (control) => {
        const owner = { email: 'ada@maps.example', name: 'Ada', role: 'owner', passwordHash: null } as const
        const { id: personId } = await control.accounts.create(owner, { by: 'operator', nowMs: Date.now() })
        return control.sessions.open({ personId, origin: 'owner_link', replaces: undefined, address: '' }, Date.now())
      })
      const origin = `http://localhost:${service.port}`
      const { page } = await openPage(origin, { storageState: { cookies: [sessionCookie(session)], origins: [] } })
      await page.goto(`${origin}/projects/${project.id}/analyses/${id}`)
      const stack = page.getByRole('region', { name: 'Stack', exact: true })
      await stack.getByText('src/price.ts:4').waitFor()
      expect(await stack.getByText('img src=x onerror=alert').count()).toBe(1)
      expect(await stack.getByText(`${ORIGIN}/assets`).count()).toBe(0)
      await stack.getByRole('button', { name: 'Original' }).click()
      await stack.getByText(`${ORIGIN}/assets`).waitFor()
      expect(await stack.getByText('src/price.ts').count()).toBe(0)
      await stack.getByRole('button', { name: 'Source', exact: true }).click()
      await stack.getByText('src/price.ts:4').waitFor()

      await page.goto(`${origin}/projects/${project.id}/settings/sourcemaps`)
      await page.getByRole('button', { name: /^\d+ files? of 1\.0$/ }).click()
      await page.getByText(`assets/${basename(path)}`).waitFor()
      await page.getByRole('button', { name: 'Delete the source maps of 1.0' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('No release has source maps yet.').waitFor()
      await page.goto(`${origin}/projects/${project.id}/analyses/${id}`)
      await stack.getByText('src/price.ts:4').waitFor()
      await page.context().close()
    },
    TIMEOUT_MS,
  )
})
