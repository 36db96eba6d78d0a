// Installs the packages of package-lock.json when they are missing or the lock changed. No dependencies: it runs before any are installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'
import { say, sayWhile } from './say.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stampPath = join(root, 'node_modules', '.tidemark-installed')

export async function ensureInstalled() {
  checkNode()
  const wanted = fingerprintOfLock()
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return
  if (npmDidIt()) return writeFileSync(stampPath, wanted)
  await sayWhile('installing packages, the first time takes a minute or two', countPackages, async () => {
    const { code, output } = await run('npm', ['ci', '--include=dev'], { cwd: root })
    if (code !== 0) {
      say(`npm ci failed:\n${output}`)
      process.exit(1)
    }
  })
  writeFileSync(stampPath, wanted)
}

/** True after an `npm ci` by hand: npm keeps a list of what it installed, and none of it is for another platform. */
function npmDidIt() {
  try {
    const [locked, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
      (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages,
    )
    const isHere = ([path, { version, optional }]) =>
      !path.startsWith('node_modules/') || optional || (path in installed && installed[path].version === version)
    const isOurs = ({ os = [process.platform], cpu = [process.arch] }) =>
      os.includes(process.platform) && cpu.includes(process.arch)
    return Object.entries(locked).every(isHere) && Object.values(installed).every(isOurs)
  } catch {
    return false
  }
}

function checkNode() {
  const least = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  say(`Node ${process.versions.node} is too old: install Node ${least} or later.`)
  process.exit(1)
}

function fingerprintOfLock() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}\n`)
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) hash.update(readFileSync(join(root, file)))
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    hash.update(readFileSync(join(root, 'packages', name, 'package.json')))
  }
  return hash.digest('hex')
}

function countPackages() {
  try {
    return `${readdirSync(join(root, 'node_modules')).length} entries in node_modules`
  } catch {
    return ''
  }
}
