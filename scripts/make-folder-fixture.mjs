// Makes a data folder with the code of an earlier commit, for e2e/more/upgrades.test.ts, which opens it with the newest:
// node scripts/make-folder-fixture.mjs <commit> <name>. The commit is checked out, installed and built below .cache; its own
// service takes records, errors and a deploy, and is killed with a segment in its spool that it could not load.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulateEngine } from './emulate-engine.mjs'
import { ensureInstalled, root } from './install.mjs'
import { must } from './run.mjs'
import { say } from './say.mjs'
import { announcedPort, until } from './until.mjs'

const OWNER = { email: 'owner@localhost', password: 'kept across versions' }
/** Ten years: what is kept here must not expire. */
const SETTINGS = {
  PATH: process.env.PATH,
  TIDEMARK_PORT: '0',
  TIDEMARK_RETENTION_DAYS: '3650',
  TIDEMARK_OWNER_PASSWORD: OWNER.password,
}
/** What each kind of store needs to lose nothing: an id, so that the batch is known; errors, so that there is an analysis. */
const LOADED = [
  record('info', 'checkout opened', { customer: 'ana', items: 3 }),
  record('warn', 'payment is slow', { seconds: 2.5 }),
  failure('order 1 failed'),
  failure('order 2 failed'),
]
const SPOOLED = [record('info', 'checkout closed', { customer: 'ana' }), failure('order 3 failed')]
const SHA = '4f2a9c1d'.repeat(5)
/** What belongs to a running process, not to the folder. */
const LEFT_OUT = [
  'tidemark.address',
  'tidemark.pid',
  'tidemark.lock*',
  'engine.pid',
  'engine.sock',
  'engine.socket',
  'engine.log',
]

const [commit, name] = process.argv.slice(2)
if (commit === undefined || !/^[a-z0-9-]+$/.test(name ?? '')) {
  say('usage: node scripts/make-folder-fixture.mjs <commit> <name>, such as HEAD 0-2')
  process.exit(1)
}
const sha = (await git('rev-parse', `${commit}^{commit}`)).trim()
const folder = join(root, '.cache/folders', sha.slice(0, 10))
const checkout = join(folder, 'checkout')
const dataDir = join(folder, 'data')
const bin = join(checkout, 'packages/cli/bin/tidemark.mjs')
const target = join(root, 'e2e/fixtures/folders')

await ensureInstalled()
const noEngine = await emulateEngine({ say })
if (noEngine) throw new Error(noEngine)
await prepareCheckout()
rmSync(dataDir, { recursive: true, force: true })
const from = new Date(Date.now() - 60_000).toISOString()
const keys = await createProject()
await loadRecords()
await spoolRecords()
await pack()

async function prepareCheckout() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(checkout, { recursive: true })
  await git('archive', '--output', join(folder, 'checkout.tar'), sha)
  await must('tar', ['-xf', join(folder, 'checkout.tar'), '-C', checkout])
  say(`installing and building ${sha.slice(0, 10)}`)
  await must('npm', ['ci', '--include=dev'], { cwd: checkout })
  await must(process.execPath, ['scripts/build.mjs'], { cwd: checkout })
}

async function createProject() {
  const env = { ...SETTINGS, TIDEMARK_DATA_DIR: dataDir }
  const output = await must(process.execPath, [bin, 'project', 'create', 'kept', '--json'], { env, cwd: checkout })
  const { project, ingestKey, readKey } = JSON.parse(output.slice(output.indexOf('{')))
  return { project, ingestKey, readKey }
}

async function loadRecords() {
  const service = await start({}, '/readyz')
  await service.send('/v1/deploys', {
    projectApiKey: keys.ingestKey,
    sha: SHA,
    environment: 'production',
    deployedAt: new Date().toISOString(),
    externalId: 'run-1',
    message: 'Round prices per line',
  })
  await service.send('/v1/logs', LOADED)
  await until('the records were never found', async () => includesAll(LOADED)(await service.answer('/api/logs')))
  await until('the errors were never counted', async () =>
    (await service.answer('/api/analyses')).includes('"count":2'),
  )
  if ((await service.end('SIGTERM')) !== 0) throw new Error('the service did not stop cleanly')
}

/** With a log store that does not answer, so that what is acknowledged stays in the spool. */
async function spoolRecords() {
  const service = await start({ TIDEMARK_CLICKHOUSE_URL: 'http://127.0.0.1:1' }, '/healthz')
  await service.send('/v1/logs', SPOOLED)
  await service.end('SIGKILL')
  const segments = readdirSync(join(dataDir, 'spool')).filter((file) => file.endsWith('.seg'))
  if (segments.length !== 1) throw new Error(`the spool has ${segments.length} segments, not one`)
}

async function pack() {
  mkdirSync(target, { recursive: true })
  const archive = join(target, `${name}.tar.gz`)
  const without = LEFT_OUT.map((file) => `--exclude=${file}`)
  const plain = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--use-compress-program=gzip -9']
  await must('tar', ['-cf', archive, ...plain, ...without, '-C', dataDir, '.'])
  const made = {
    commit: sha,
    from,
    to: new Date(Date.now() + 60_000).toISOString(),
    owner: OWNER,
    ...keys,
    deploy: { sha: SHA, externalId: 'run-1' },
    loaded: LOADED.map(({ message }) => message),
    spooled: SPOOLED.map(({ message }) => message),
    errors: [...LOADED, ...SPOOLED].filter(({ level }) => level === 'error').length,
  }
  const description = join(target, `${name}.json`)
  writeFileSync(description, JSON.stringify(made, null, 2))
  await must(process.execPath, [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', description])
  say(`${archive}: ${Math.ceil(statSync(archive).size / 1024)} KiB`)
}

async function start(env, path) {
  const settings = { ...SETTINGS, TIDEMARK_DATA_DIR: dataDir, ...env }
  const child = spawn(process.execPath, [bin, 'serve'], {
    cwd: checkout,
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const url = await until('the service was never ready', async () => {
    if (child.exitCode !== null) throw new Error(`the service ended with code ${child.exitCode}:\n${output}`)
    const port = announcedPort({ stdout: output, stderr: output })
    return port && (await fetch(`http://127.0.0.1:${port}${path}`)).ok && `http://127.0.0.1:${port}`
  })
  return {
    async send(path, body) {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${keys.ingestKey}` }
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    },
    async answer(path) {
      const headers = { Authorization: `Bearer ${keys.readKey}` }
      return (await fetch(`${url}${path}?from=-1h`, { headers })).text()
    },
    end(signal) {
      child.kill(signal)
      return exited
    },
  }
}

function record(level, message, attributes) {
  return { level, message, service: 'shop', environment: 'production', attributes }
}

function failure(message) {
  const stack = 'TypeError: total is undefined\n    at charge (/app/src/payment.js:42:11)'
  const error = { type: 'TypeError', message: 'total is undefined', stack }
  return { ...record('error', message, {}), error }
}

function includesAll(records) {
  return (text) => records.every(({ message }) => text.includes(message))
}

function git(...args) {
  return must('git', ['-C', root, ...args])
}
