// Unpacks an npm package into its own folder, checked against its known hash. Whole or not at all, and only
// when another version, or none, is there.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { must } from './run.mjs'

export async function fetchPackage({ name, version, integrity, target }, say) {
  if (isFetched({ version, target })) return
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
  writeFileSync(stampIn(fresh), version)
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
}

export function isFetched({ version, target }) {
  return existsSync(stampIn(target)) && readFileSync(stampIn(target), 'utf8') === version
}

const stampIn = (folder) => join(folder, '.version')
