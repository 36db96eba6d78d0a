import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { engineChildPath, findEngineRuntime } from './runtime.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function repository(runtime?: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-runtime-'))
  folders.push(folder)
  mkdirSync(join(folder, '.cache/engine-x64'), { recursive: true })
  if (runtime) writeFileSync(join(folder, '.cache/engine-x64/engine-runtime.json'), JSON.stringify(runtime))
  return pathToFileURL(join(folder, 'packages/server/dist/logstore/engine/runtime.js')).href
}

describe('what runs the engine', () => {
  it('is the emulator that was set up, where there is no library', () => {
    const runtime = { command: process.execPath, args: ['-x'], env: { A: '1' }, requireFrom: '/', slowdown: 4 }
    expect(findEngineRuntime(repository(runtime))).toEqual(runtime)
  })

  it('is nothing where neither is there, and the sentence names the way out', () => {
    const sentence = findEngineRuntime(repository())
    expect(sentence).toMatch(/^The embedded log engine has no library for \S+\. Set TIDEMARK_CLICKHOUSE_URL/)
  })

  it('is nothing when the emulator has been removed since', () => {
    const runtime = { command: '/gone/qemu', args: [], env: {}, requireFrom: '/', slowdown: 4 }
    expect(findEngineRuntime(repository(runtime))).toMatch(/gone.*TIDEMARK_CLICKHOUSE_URL/)
  })

  it('is nothing when what was set up does not say how slow it is', () => {
    const runtime = { command: process.execPath, args: [], env: {}, requireFrom: '/' }
    expect(findEngineRuntime(repository(runtime))).toMatch(/earlier version; remove the file and run "npm start"/)
  })

  it('is known to nothing but the factor by which deadlines grow', () => {
    const folder = new URL('../..', import.meta.url)
    const others = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('engine/runtime'),
    )
    const knowing = others.filter((name) => /emulat|qemu/i.test(readFileSync(new URL(name, folder), 'utf8')))
    expect(knowing).toEqual([])
  })
})

describe('the entry of the engine child', () => {
  it('is the compiled file, also when the parent runs from the sources', () => {
    expect(engineChildPath()).toMatch(/packages\/server\/dist\/logstore\/engine\/child\.js$/)
  })

  it('says how to build when it is missing', () => {
    expect(() => engineChildPath('file:///nowhere/src/logstore/engine/runtime.ts')).toThrow('npm run build')
  })
})
