import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = dirname(fileURLToPath(import.meta.url))

const IMPORT = /^(?:import|export|\}).* from '([^']+)'|\bimport\('([^']+)'\)/gm

/** Every module that a file loads, its own files followed. */
function loadedBy(path: string, seen = new Set<string>()): Set<string> {
  for (const [, first, second] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
    const target = first ?? second ?? ''
    const name = target.startsWith('.') ? resolve(dirname(path), target) : target
    if (seen.has(name)) continue
    seen.add(name)
    if (target.startsWith('.')) loadedBy(name, seen)
  }
  return seen
}

describe('the client program', () => {
  it('loads nothing of the service and no package but those that are bundled', () => {
    const packages = [...loadedBy(join(src, 'client-main.ts'))].filter(
      (name) => !name.startsWith('/') && !name.startsWith('node:'),
    )
    const foreign = packages.filter((name) => !/^(?:commander|picocolors|@tidemark\/wire\/.+)$/.test(name))
    expect(packages).toContain('commander')
    expect(foreign).toEqual([])
  })

  it('is part of the whole program', () => {
    const loaded = loadedBy(join(src, 'client-main.ts'))
    for (const name of ['deploy', 'logs', 'analyses', 'changes', 'import', 'mcp']) {
      expect(loaded).toContain(join(src, name, `${name}-command.ts`))
    }
    expect(readFileSync(join(src, 'main.ts'), 'utf8')).toContain("from './client-main.ts'")
  })
})
