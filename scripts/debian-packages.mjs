// Programs and libraries of Debian, fetched and unpacked without being installed: apt with the system's sources and keys, but
// its own lists, archives and locks in a folder. Neither root nor a change of the system is needed.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { must } from './run.mjs'

/** `architectures` as apt writes them; without them the system's own. */
export function debianPackages(folder, architectures) {
  function apt(...args) {
    const options = {
      'Dir::State': join(folder, 'state'),
      'Dir::State::status': '/var/lib/dpkg/status',
      'Dir::Cache': join(folder, 'cache'),
      'Debug::NoLocking': 'true',
      'APT::Sandbox::User': 'root',
      ...(architectures ? { 'APT::Architectures': architectures } : {}),
      'Acquire::Languages': 'none',
    }
    const given = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    return must('apt-get', ['-qq', ...given, ...args], { cwd: folder })
  }

  async function list(...command) {
    const output = await apt(...command, '--print-uris')
    return [...output.matchAll(/^'[^']+' ([^_\s]+)_([^_\s]+)_(\w+)\.deb (\d+)/gm)].map(
      ([, name, version, architecture, bytes]) => ({
        name: architecture === 'all' ? name : `${name}:${architecture}`,
        version: decodeURIComponent(version),
        bytes: Number(bytes),
      }),
    )
  }

  return {
    async update() {
      for (const inner of ['state/lists/partial', 'cache/archives/partial']) {
        mkdirSync(join(folder, inner), { recursive: true })
      }
      await apt('update')
    },
    /** What would have to be installed for these: themselves, and what they need that the system does not have. */
    listInstall: (...names) => list('install', '--yes', '--no-install-recommends', ...names),
    /** These alone. */
    listDownload: (...names) => list('download', ...names),
    /** The names of the archives, in the folder. */
    async download(items) {
      await apt('download', ...items.map(({ name, version }) => `${name}=${version}`))
      return readdirSync(folder).filter((file) => file.endsWith('.deb'))
    },
    unpack: (archive, target) => must('dpkg-deb', ['-x', join(folder, archive), target]),
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}
