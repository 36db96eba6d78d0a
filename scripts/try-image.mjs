// `npm run test:image`: carries the Dockerfile out without Docker and runs what comes of it as a container would be run: its own
// processes and network, a read-only root, /tmp in memory, a volume, no root and no capabilities, Node as process 1.
// It must become ready, take a record and find it, pass its health check, and end with code 0 at SIGTERM. Linux, as root, with
// debootstrap; everything is below .cache/image.
import { spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDockerfile } from './dockerfile.mjs'
import { emulateEngine } from './emulate-engine.mjs'
import { makeImage, runIn } from './image-root.mjs'
import { ensureInstalled, root } from './install.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'
import { until } from './until.mjs'

const folder = join(root, '.cache/image')
const MESSAGE = 'a record sent to the image'

await requireTools()
await ensureInstalled()
const image = await makeImage(readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8')), folder)
await prepareEngine(image)
await tryIt(image)

async function requireTools() {
  const { code } = await run('debootstrap', ['--version'])
  if (code === 0 && process.getuid?.() === 0 && process.platform === 'linux') return
  say('This needs Linux, root and debootstrap: apt-get install debootstrap.')
  process.exit(1)
}

/** Where npm has no engine for this processor, the one of another is set up in the image, by what `npm start` calls too. */
async function prepareEngine(made) {
  const problem = await emulateEngine({ say })
  if (problem) throw new Error(problem)
  const fetched = join(root, '.cache/engine-x64')
  if (!existsSync(fetched)) return
  const app = join(made.root, made.directory)
  for (const part of ['node', 'lib']) {
    cpSync(join(fetched, part), join(app, '.cache/engine-x64', part), { recursive: true, dereference: true })
  }
  cpSync(join(root, 'scripts'), join(app, 'scripts'), { recursive: true })
  const call = 'emulateEngine({ say: console.error }).then((why) => process.exit(why ? console.error(why) || 1 : 0))'
  await runIn(made, `exec node -e "import('./scripts/emulate-engine.mjs').then(({ emulateEngine }) => ${call})"`)
  rmSync(join(app, 'scripts'), { recursive: true })
}

async function tryIt(made) {
  const volume = join(folder, 'volume')
  rmSync(volume, { recursive: true, force: true })
  mkdirSync(volume, { mode: 0o700 })
  chownSync(volume, Number(made.uid), Number(made.gid))
  // What a container runtime writes.
  writeFileSync(join(made.root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  const startedAt = performance.now()
  const seen = (text) => say(`${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${text}`)
  const container = start(made, volume)
  try {
    await until('the health check never passed', async () => (await container.exec(made.healthCheck)).code === 0)
    seen('the health check passes')
    lookAtProcess(container.pid())
    seen(`process 1 is node, without root and without capabilities`)
    const written = await container.exec(['touch', '/app/written'])
    if (!written.output.includes('Read-only file system')) throw new Error(`/app can be written to: ${written.output}`)
    seen('its root file system is read-only')
    const url = `http://localhost:${made.port}`
    await until('it was never ready', async () => (await ask(container, `${url}/readyz`)).startsWith('200'))
    seen('it is ready')
    for (const path of ['/', '/sdk.tgz', '/cli.tgz']) {
      const answer = await ask(container, url + path)
      if (!answer.startsWith('200')) throw new Error(`${path} answers ${answer}`)
    }
    seen('the dashboard and the packages are served')
    const keys = JSON.parse(await container.must(['tidemark', 'project', 'create', 'image', '--json']))
    const sent = await ask(container, `${url}/v1/logs`, keys.ingestKey, { message: MESSAGE })
    if (!sent.startsWith('200')) throw new Error(`the record was answered with ${sent}`)
    await until('the record was never found', async () =>
      (await ask(container, `${url}/api/logs?from=-1h`, keys.readKey)).includes(MESSAGE),
    )
    seen('a record was taken in and found')
    const doctor = await container.exec(['tidemark', 'doctor'])
    say(`tidemark doctor, code ${doctor.code}:\n${doctor.output}`)
    if (doctor.code !== 0) throw new Error('the doctor is not content')
    process.kill(container.pid(), 'SIGTERM')
    const code = await container.exited
    if (code !== 0) throw new Error(`it ended with code ${code}`)
    seen('SIGTERM ended it with code 0')
  } catch (error) {
    say(`${error.message}\n${container.output()}`)
    process.exitCode = 1
  } finally {
    if (container.child.exitCode === null) process.kill(container.pid(), 'SIGKILL')
  }
}

function start({ root: folder, directory, env, uid, gid, volumes, command }, volume) {
  const [place] = volumes
  const script = [
    'ip link set lo up',
    'mount --bind "$0" "$0"',
    'mount -t tmpfs -o mode=755 dev "$0/dev"',
    'for name in null zero random urandom; do touch "$0/dev/$name" && mount --bind "/dev/$name" "$0/dev/$name"; done',
    'mount -t proc proc "$0/proc"',
    'mount -t tmpfs -o size=64m,mode=1777 tmp "$0/tmp"',
    `mount --bind "$1" "$0${place}"`,
    'mount -o remount,ro,bind "$0"',
    'shift',
    'exec chroot "$0" "$@"',
  ].join(' && ')
  const given = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const drop = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--bounding-set=-all',
  ]
  const inside = (words) => ['/usr/bin/env', '-i', `--chdir=${directory}`, ...given, 'setpriv', ...drop, ...words]
  const apart = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child']
  const child = spawn('unshare', [...apart, '/bin/sh', '-c', script, folder, volume, ...inside(command)])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-20_000)
    })
  }
  const pid = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
  const exec = (words) => {
    const into = [`--target=${pid()}`, '--mount', '--pid', '--net', '--ipc', '--uts', '--root', '--wd']
    return run('nsenter', [...into, ...inside(words)])
  }
  return {
    child,
    pid,
    exec,
    async must(words) {
      const { code, output: said } = await exec(words)
      if (code !== 0) throw new Error(`${words.join(' ')} ended with code ${code}: ${said}`)
      return said
    },
    output: () => output,
    exited: new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal))),
  }
}

/** The status and the text of an answer, asked for from inside. */
async function ask(container, url, key, body) {
  const program = `
    const [url, key, body] = process.argv.slice(1)
    const headers = { ...(key && { Authorization: 'Bearer ' + key }), ...(body && { 'Content-Type': 'application/json' }) }
    fetch(url, { headers, ...(body && { method: 'POST', body }) }).then(async (answer) => console.log(answer.status, (await answer.text()).slice(0, 5000)))`
  const { output } = await container.exec(['node', '-e', program, url, key ?? '', body ? JSON.stringify(body) : ''])
  return output.trim()
}

function lookAtProcess(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
  const found = {
    name: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0],
    pid: field('NSpid').split(/\s+/).at(-1),
    users: [...new Set(field('Uid').split(/\s+/))].join(),
    capabilities: field('CapEff'),
    noNewPrivileges: field('NoNewPrivs'),
  }
  const expected = { name: 'node', pid: '1', users: image.uid, capabilities: '0'.repeat(16), noNewPrivileges: '1' }
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`it runs as ${JSON.stringify(found)}`)
}
