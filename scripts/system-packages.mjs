// Programs the tests drive that npm does not carry: Chromium, a PostgreSQL server, git and what goes with it. Debian's packages are installed
// where they are missing and we may; where they are not available the tests that need them skip and say why.
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { BROWSERS } from './browsers.mjs'
import { run } from './run.mjs'
import { say, sayWhile } from './say.mjs'

const programs = [
  {
    name: 'Chromium',
    // The same engine without windows, which is quicker and smaller; older systems have the whole browser only.
    debian: 'chromium-headless-shell',
    otherwise: 'chromium',
    isThere: () => BROWSERS.some((path) => existsSync(path)),
  },
  { name: 'PostgreSQL', debian: 'postgresql', isThere: () => onPath('initdb') || debianPostgres() },
  { name: 'git', debian: 'git', isThere: () => onPath('git') },
  { name: 'OpenSSL', debian: 'openssl', isThere: () => onPath('openssl') },
  { name: 'OpenSSH', debian: 'openssh-client', isThere: () => onPath('ssh') },
  { name: 'curl', debian: 'curl', isThere: () => onPath('curl') },
  { name: 'jq', debian: 'jq', isThere: () => onPath('jq') },
]

export async function ensureSystemPackages() {
  const missing = programs.filter((program) => !program.isThere())
  if (missing.length === 0) return
  const names = missing.map((program) => program.name).join(', ')
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    say(`${names} not found, and installing needs root on Debian: the tests that use it will be skipped and say so.`)
    return
  }
  const { code, output } = await installFromDebian(names, () => packagesFor(missing))
  if (code !== 0) say(`that failed; the tests that use it will be skipped and say so:\n${output.slice(-2000)}`)
}

/** What the packages are is asked for once their lists are new. */
export function installFromDebian(names, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return sayWhile(
    `installing ${names} from Debian's packages`,
    () => '',
    async () => {
      await run('apt-get', ['update', '-qq'], { env })
      return run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...(await packages())], { env })
    },
  )
}

async function packagesFor(missing) {
  const names = missing.map(async ({ debian, otherwise = debian }) => {
    const { code } = await run('apt-cache', ['show', debian])
    return code === 0 ? debian : otherwise
  })
  return Promise.all(names)
}

function onPath(...names) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => names.some((name) => existsSync(join(folder, name))))
}

function debianPostgres() {
  const base = '/usr/lib/postgresql'
  return existsSync(base) && readdirSync(base).some((version) => existsSync(join(base, version, 'bin', 'initdb')))
}
