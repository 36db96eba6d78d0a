import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { generatedPages } from './documents.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
/** Something in backticks that looks like a path of this repository. */
const PATH = /`((?:packages|packaging|docs|scripts|e2e|bench|\.ci)\/[A-Za-z0-9_./*-]+)`/g
/** How ARCHITECTURE.md names what is in the server: by the path from its source, or a file beside the one named before. */
const NAMED = /`([a-z][\w.-]*(?:\/[\w.-]+)+|[a-z][\w.-]*\.(?:tsx?|mjs|sh))`/g
const MAX_LINES: Record<string, number> = { 'README.md': 120, 'ARCHITECTURE.md': 250, 'CONTRIBUTING.md': 100 }

describe('the documents', () => {
  it('name only paths that exist', () => {
    const missing = documents.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(PATH)]
        .map((match) => match[1] ?? '')
        .filter((path) => !path.includes('*') && !existsSync(join(root, path)))
        .map((path) => `${name}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  it('ARCHITECTURE.md names only files and folders that are where it says they are', () => {
    const serverSrc = join(root, 'packages/server/src')
    const missing: string[] = []
    let folder = serverSrc
    for (const [, name = ''] of readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(NAMED)) {
      const around = name.includes('/') ? [serverSrc, root] : [folder, serverSrc]
      const found = around.map((place) => join(place, name)).find((path) => existsSync(path))
      if (found === undefined) missing.push(name)
      else if (extname(found) !== '') folder = dirname(found)
    }
    expect(missing).toEqual([])
  })

  it('link only to files that exist', () => {
    const broken = documents.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)[^)]*\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(resolve(root, dirname(name), target)))
        .map((target) => `${name}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it.each(Object.entries(generatedPages()))('%s is fresh (npm run docs makes it)', (name, content) => {
    expect(readFileSync(join(root, name), 'utf8')).toBe(content)
  })

  it.each(Object.entries(MAX_LINES))('%s stays within %i lines', (name, max) => {
    expect(readFileSync(join(root, name), 'utf8').split('\n').length).toBeLessThanOrEqual(max)
  })
})
