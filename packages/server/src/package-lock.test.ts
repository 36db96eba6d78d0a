/**
 * npm writes into the lock only the binaries it saw, and installs only what is written there: a lock made on one system
 * may leave out the compiler or the formatter of another. So the lock is read, platform by platform.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
  optionalDependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Locked> }

const lock: Lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'))
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64']

/**
 * Where the lock was made these could not be had, so nothing is known of their content. They are locked by name and
 * version all the same, written by hand: npm installs what it is offered, and leaves an optional package out that it is
 * not. On Linux arm64 scripts/emulate-engine.mjs then takes the place of the missing one.
 */
const WITHOUT_CHECKSUM = ['@chdb/lib-darwin-arm64', '@chdb/lib-darwin-x64', '@chdb/lib-linux-arm64-gnu']

describe('the lock', () => {
  it('knows the binaries of every package for every platform the README names', () => {
    expect(missingBinaries(lock)).toEqual([])
  })

  it('knows the checksum of every package but those that could not be had', () => {
    const unknown = Object.entries(lock.packages)
      .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.inBundle)
      .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    expect(unknown.map(([path]) => nameOf(path)).sort()).toEqual(WITHOUT_CHECKSUM)
  })

  it('names no host, so that packages may come from anywhere', () => {
    const resolved = Object.values(lock.packages).flatMap((entry) => (entry.link ? [] : (entry.resolved ?? [])))
    expect(resolved).toEqual([])
  })

  it.each([
    ['a binary that is left out', {}, ['tool 2.0.0 has no darwin-x64 in the lock']],
    ['a binary of another version', { version: '1.9.0' }, ['tool 2.0.0 wants tool-darwin-x64 2.0.0, not 1.9.0']],
    ['nothing where all are there', { version: '2.0.0' }, []],
  ])('would be told of %s', (_, darwin: Locked, told) => {
    const names = PLATFORMS.map((platform) => `tool-${platform}`)
    const packages: Lock['packages'] = Object.fromEntries(names.map((name) => [at(name), { version: '2.0.0' }]))
    const optionalDependencies = Object.fromEntries(names.map((name) => [name, '2.0.0']))
    packages[at('tool')] = { version: '2.0.0', optionalDependencies }
    packages[at('tool-darwin-x64')] = darwin
    expect(missingBinaries({ packages })).toEqual(told)
  })

  it('would be told of a platform that the package itself does not have', () => {
    const optionalDependencies = {
      'tool-linux-x64': '2.0.0',
      'tool-linux-arm64': '2.0.0',
      'tool-darwin-arm64': '2.0.0',
    }
    const packages: Lock['packages'] = { [at('tool')]: { version: '2.0.0', optionalDependencies } }
    for (const name of Object.keys(optionalDependencies)) packages[at(name)] = { version: '2.0.0' }
    expect(missingBinaries({ packages })).toEqual(['tool 2.0.0 is not made for darwin-x64'])
  })
})

/** A package has binaries when it names an optional package for two platforms or more; musl is none of ours. */
function missingBinaries({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) => {
    const binaries = Object.entries(optionalDependencies).flatMap(([name, wanted]) => {
      const platform = PLATFORMS.find((candidate) => name.includes(candidate) && !name.endsWith('-musl'))
      return platform === undefined ? [] : [{ name, wanted, platform }]
    })
    if (binaries.length < 2) return []
    const subject = `${nameOf(path)} ${version}`
    return PLATFORMS.flatMap((platform) => {
      const binary = binaries.find((candidate) => candidate.platform === platform)
      if (!binary) return `${subject} is not made for ${platform}`
      const found = (packages[`${path}/${at(binary.name)}`] ?? packages[siblingOf(path, binary.name)])?.version
      if (found === undefined) return `${subject} has no ${platform} in the lock`
      return found === binary.wanted ? [] : `${subject} wants ${binary.name} ${binary.wanted}, not ${found}`
    })
  })
}

const at = (name: string) => `node_modules/${name}`
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const siblingOf = (path: string, name: string) => path.slice(0, path.lastIndexOf('node_modules/')) + at(name)
