// The daemons that send logs from most Linux machines, for the tests: rsyslog, syslog-ng and the uploader of systemd's journal.
// Each is unpacked from Debian's packages below .cache/log-daemons, once, unless the system has it.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { debianPackages } from './debian-packages.mjs'
import { root } from './install.mjs'

const cache = join(root, '.cache', 'log-daemons')
const DAEMONS = {
  rsyslog: {
    debian: ['rsyslog', 'rsyslog-openssl', 'rsyslog-elasticsearch'],
    program: 'usr/sbin/rsyslogd',
    modules: ['rsyslog/omelasticsearch.so'],
  },
  'syslog-ng': {
    debian: ['syslog-ng-core', 'syslog-ng-scl', 'syslog-ng-mod-http'],
    program: 'usr/sbin/syslog-ng',
    modules: ['3.38/libhttp.so'],
  },
  'journal-upload': {
    debian: ['systemd-journal-remote'],
    program: 'lib/systemd/systemd-journal-upload',
    modules: [],
  },
}

/** Where the daemon is, with what it needs to run there; or a sentence that says why it is not. */
export async function findLogDaemon(name) {
  const { debian, program, modules } = DAEMONS[name]
  const isWhole = (folder) =>
    existsSync(join(folder, program)) &&
    modules.every((module) => librariesIn(folder).some((path) => existsSync(join(path, module))))
  const isInstalled = isWhole('/')
  const folder = isInstalled ? '/' : join(cache, name)
  if (!isWhole(folder)) {
    try {
      await fetchInto(folder, debian, isWhole)
    } catch (error) {
      return `Debian's package of ${name} cannot be unpacked here: ${error.message.slice(0, 300)}`
    }
  }
  const libraries = librariesIn(folder)
  return {
    program: join(folder, program),
    folder,
    libraries,
    env: isInstalled ? {} : { LD_LIBRARY_PATH: libraries.join(delimiter) },
  }
}

/** Several processes may want the same one at once: each unpacks its own, and the first that is done puts it in place. */
async function fetchInto(folder, names, isWhole) {
  if (process.platform !== 'linux') throw new Error('this is not Linux.')
  const packages = debianPackages(`${folder}.${process.pid}.apt`)
  const fresh = `${folder}.${process.pid}.new`
  try {
    await packages.update()
    mkdirSync(fresh, { recursive: true })
    // Themselves also where the system has some of them: a daemon and its modules must lie in one folder.
    const needed = [...(await packages.listInstall(...names)), ...(await packages.listDownload(...names))]
    const items = [...new Map(needed.map((item) => [item.name, item])).values()]
    for (const archive of await packages.download(items)) await packages.unpack(archive, fresh)
    if (!isWhole(fresh)) throw new Error(`there is something missing in ${names.join(', ')}.`)
    if (isWhole(folder)) return
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  } finally {
    packages.clear()
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Debian keeps libraries in a folder named after the processor, syslog-ng its own in one of its name. */
function librariesIn(folder) {
  return ['lib', 'usr/lib'].flatMap((below) => {
    const base = join(folder, below)
    if (!existsSync(base)) return []
    return readdirSync(base)
      .filter((name) => name.endsWith('-linux-gnu') || name === 'syslog-ng')
      .map((name) => join(base, name))
  })
}
