// Carries out the stages of a Dockerfile without Docker: each is a folder with a root file system in it, made from a
// minimal Debian with Node, which stands in for the base image. Needs root, debootstrap and the network.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, posix, relative } from 'node:path'
import { fetchNode, NODES } from './fetch-node.mjs'
import { root } from './install.mjs'
import { must } from './run.mjs'
import { say } from './say.mjs'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** How the network is reached from here. The image must not depend on it, so it is only there while steps run. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** Returns the last stage: its root folder and what its steps say of how it is run. */
export async function makeImage(stages, folder) {
  const context = join(folder, 'context')
  copyContext(context)
  const made = new Map()
  let last
  for (const [index, stage] of stages.entries()) {
    const target = join(folder, `stage-${index}`)
    const before = made.get(stage.from)
    const image = { root: target, env: { PATH, ...before?.env }, directory: before?.directory ?? '/' }
    say(`stage ${index + 1} of ${stages.length}, from ${stage.from}`)
    await copyTree(before?.root ?? (await baseRoot(stage.from, folder)), target)
    for (const step of stage.steps) await STEPS[step.kind](image, step, { context, made })
    if (stage.name) made.set(stage.name, image)
    last = image
  }
  return last
}

const STEPS = {
  WORKDIR(image, { path }) {
    image.directory = path
    mkdirSync(join(image.root, path), { recursive: true })
  },
  ENV: (image, { variables }) => void Object.assign(image.env, variables),
  USER: (image, { uid, gid }) => void Object.assign(image, { uid, gid }),
  EXPOSE: (image, { port }) => void Object.assign(image, { port }),
  VOLUME: (image, { paths }) => void Object.assign(image, { volumes: paths }),
  CMD: (image, { command }) => void Object.assign(image, { command }),
  HEALTHCHECK: (image, { command }) => void Object.assign(image, { healthCheck: command }),
  COPY(image, { from, sources, target }, { context, made }) {
    const origin = from === undefined ? context : made.get(from)?.root
    if (origin === undefined) throw new Error(`COPY --from=${from}: there is no such stage`)
    for (const source of sources) {
      const path = join(origin, source)
      const place = posix.resolve(image.directory, target)
      const isInto = statSync(path).isFile() && target.endsWith('/')
      const inner = isInto ? posix.join(place, basename(source)) : place
      mkdirSync(join(image.root, dirname(inner)), { recursive: true })
      cpSync(path, join(image.root, inner), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    }
  },
  async RUN(image, { command }) {
    say(`  RUN ${command.slice(0, 100)}`)
    await runIn(image, command)
  },
}

/** As root, with the devices and the network of this machine. What is mounted for it goes with it. */
export function runIn({ root: folder, env, directory }, command) {
  const variables = { ...env, HOME: '/root', npm_config_cafile: CERTIFICATES, DEBIAN_FRONTEND: 'noninteractive' }
  const given = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const script = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
  const inside = ['/usr/bin/env', '-i', `--chdir=${directory}`, ...given, '/bin/sh', '-c', command]
  const apart = ['--mount', '--pid', '--fork', '--kill-child']
  return must('unshare', [...apart, '/bin/sh', '-c', script, folder, ...inside])
}

/** The stand-in for `node:<version>-<suite>-slim`: made once, kept in .cache. */
async function baseRoot(image, folder) {
  const [, version, suite] = /^node:([\d.]+)-([a-z]+)-slim$/.exec(image) ?? []
  if (!NODES.some((node) => node.version === version)) throw new Error(`There is nothing to stand in for ${image}.`)
  const target = join(folder, `base-${version}-${suite}`)
  if (existsSync(target)) return target
  const fresh = `${target}.new`
  rmSync(fresh, { recursive: true, force: true })
  say(`making a minimal Debian ${suite} with Node ${version}`)
  await must('debootstrap', ['--variant=minbase', suite, fresh, await mirrorOf(suite)])
  for (const sources of ['sources.list', 'sources.list.d', 'apt.conf.d']) {
    const path = join('/etc/apt', sources)
    rmSync(join(fresh, path), { recursive: true, force: true })
    if (existsSync(path)) cpSync(path, join(fresh, path), { recursive: true })
  }
  for (const file of ['/etc/resolv.conf', CERTIFICATES]) {
    mkdirSync(join(fresh, dirname(file)), { recursive: true })
    cpSync(file, join(fresh, file), { dereference: true })
  }
  const programs = join(fresh, 'usr/local/bin')
  cpSync(await fetchNode(version, say), join(programs, 'node'))
  chmodSync(join(programs, 'node'), 0o755)
  const npm = join((await must('npm', ['root', '--global'])).trim().split('\n').at(-1), 'npm')
  cpSync(npm, join(fresh, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(programs, 'npm'))
  symlinkSync('../lib/node_modules/npm/bin/npx-cli.js', join(programs, 'npx'))
  await must('mv', [fresh, target])
  return target
}

async function mirrorOf(suite) {
  const sites = await must('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI)',
    'Created-By: Packages',
    `Codename: ${suite}`,
  ])
  const [first] = sites.trim().split('\n')
  if (!first) throw new Error(`apt knows no mirror of Debian ${suite}: add it to its sources and run apt-get update.`)
  return first
}

async function copyTree(from, target) {
  rmSync(target, { recursive: true, force: true })
  await must('cp', ['--archive', from, target])
}

/** What Docker would be sent: the checkout without what .dockerignore names. The last rule that fits a path decides. */
function copyContext(target) {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  const isKept = (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isKept ?? true
  rmSync(target, { recursive: true, force: true })
  const copy = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = posix.join(path, entry.name)
      if (entry.isDirectory() && !/(?:^|\/)(?:node_modules|\.git)$/.test(inner)) copy(inner)
      else if (entry.isFile() && isKept(inner))
        cpSync(join(root, inner), join(target, relative('.', inner)), { preserveTimestamps: true })
    }
  }
  copy('')
}

/** `*` stays within a name, `**` does not; what fits a folder fits all below it. */
function patternOf(line) {
  const source = line
    .replace(/[.+^${}()|[\]]/g, '\\$&')
    .replace(/\*\*\//g, '(?:.+/)?')
    .replace(/(?<!\))\*/g, '[^/]*')
  return new RegExp(`^${source}(?:/|$)`)
}
