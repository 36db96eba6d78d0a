// `npm run test:node-versions`: the built service on the Node that runs this and on the newer ones that are supported. On each it
// starts, takes a record and requests that come in many pieces, finds all of it again, records a deploy and stops; the table
// says how far each got. The other Nodes are packages of npm, kept in .cache; there are some for Linux only.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchNode, NODES } from './fetch-node.mjs'
import { root } from './install.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'
import { announcedPort, until } from './until.mjs'

const BIN = join(root, 'packages/cli/bin/tidemark.mjs')
const MESSAGE = 'a record sent to every Node'
/** Half a megabyte: it comes in several pieces, and goes through a thread. */
const MANY = Array.from({ length: 5_000 }, (_, at) => ({ message: `piece ${at} of many`.padEnd(80, '.') }))
const TIMES = [1, 2, 3, 4, 5]
const SHA = '9'.repeat(40)

const noEngine = await prepare()
if (noEngine) {
  say(noEngine)
  process.exit(1)
}

const rows = []
for (const node of await programs()) rows.push(await tryNode(node))
console.table(Object.fromEntries(rows.map(({ version, ...steps }) => [version, steps])))
process.exit(rows.every((row) => row.result === 'ok') ? 0 : 1)

async function programs() {
  const found = [process.execPath]
  if (process.platform !== 'linux') say('the other Nodes are available for Linux only')
  for (const { version } of process.platform === 'linux' ? NODES : []) found.push(await fetchNode(version, say))
  return found
}

/** The seconds each step took; `result` says what stopped it. */
async function tryNode(node) {
  const version = (await run(node, ['--version'])).output.trim()
  say(`trying Node ${version}`)
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-nodes-'))
  const env = { PATH: process.env.PATH, TIDEMARK_DATA_DIR: dataDir, TIDEMARK_PORT: '0' }
  const steps = { version }
  const step = async (name, work) => {
    const startedAt = performance.now()
    const answer = await work()
    steps[name] = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
    return answer
  }
  let service
  try {
    const keys = await step('project', () => createProject(node, env))
    service = launch(node, env)
    const url = await step('start', () => untilReady(service))
    await step('record', () => send(`${url}/v1/logs`, { message: MESSAGE }, keys.ingestKey))
    await step('read', () => untilFound(`${url}/api/logs?from=-1h`, keys.readKey, MESSAGE))
    await step('many', () => Promise.all(TIMES.map(() => send(`${url}/v1/logs`, MANY, keys.ingestKey))))
    const total = `"total":${TIMES.length * MANY.length}`
    await step('count', () => untilFound(`${url}/api/logs/count?from=-1h&query=piece`, keys.readKey, total))
    const deploy = { sha: SHA, environment: 'production', deployedAt: new Date().toISOString() }
    await step('deploy', () => send(`${url}/v1/deploys`, { projectApiKey: keys.ingestKey, ...deploy }))
    await step('timeline', () => untilFound(`${url}/api/deploys?from=-1h`, keys.readKey, SHA))
    await step('end', () => endOf(service))
    steps.result = 'ok'
  } catch (error) {
    steps.result = 'failed'
    say(`Node ${version}: ${error.message}\n${service?.output ?? ''}`)
  } finally {
    service?.child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  return steps
}

async function createProject(node, env) {
  const { code, output } = await run(node, [BIN, 'project', 'create', 'nodes', '--json'], { env })
  if (code !== 0) throw new Error(`no project could be made: ${output}`)
  return JSON.parse(output)
}

function launch(node, env) {
  const child = spawn(node, [BIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const service = { child, output: '', exited: new Promise((resolve) => child.once('exit', resolve)) }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      service.output += text
    })
  }
  return service
}

async function untilReady(service) {
  return until('it was not ready in time', async () => {
    if (service.child.exitCode !== null) throw new Error(`it ended with code ${service.child.exitCode}`)
    const port = announcedPort({ stdout: service.output, stderr: service.output })
    const url = `http://127.0.0.1:${port}`
    return port !== undefined && (await fetch(`${url}/readyz`)).ok ? url : undefined
  })
}

async function send(url, body, key) {
  const headers = { 'Content-Type': 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
}

async function untilFound(url, key, text) {
  await until(`${url} never had it`, async () => {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    return response.ok && (await response.text()).includes(text)
  })
}

async function endOf({ child, exited }) {
  child.kill('SIGTERM')
  const code = await exited
  if (code !== 0) throw new Error(`it ended with code ${code}`)
}
