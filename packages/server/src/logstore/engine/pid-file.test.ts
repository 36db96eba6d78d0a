import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endOrphan, writePidFile } from './pid-file.ts'

const CHILD = '/somewhere/child.js'

describe.runIf(process.platform === 'linux')('the pid file of the engine', () => {
  let folder: string
  let file: string
  let child: ChildProcess
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-pid-'))
    file = join(folder, 'engine.pid')
    child = spawn(process.execPath, ['-e', 'console.log(1);setInterval(()=>{},1000)', CHILD])
    await once(child.stdout as NodeJS.ReadableStream, 'data')
  })
  afterEach(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  it('protects an engine whose server is alive', () => {
    writePidFile(file, child.pid ?? 0)
    expect(() => endOrphan(file, CHILD)).toThrow(/Another Tidemark server \(process \d+\).*TIDEMARK_DATA_DIR/)
    expect(child.exitCode).toBeNull()
  })

  it('lets an engine be ended whose server is gone', async () => {
    writeFileSync(file, `${child.pid} 999999\n`)
    const exited = once(child, 'exit')
    endOrphan(file, CHILD)
    expect(await exited).toEqual([null, 'SIGKILL'])
  })

  it('never ends a process that is not the engine, although it has the number', async () => {
    writeFileSync(file, `${child.pid} 999999\n`)
    endOrphan(file, '/another/child.js')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(child.signalCode).toBeNull()
  })

  it('does not mind a missing or spoilt file', () => {
    expect(() => endOrphan(file, CHILD)).not.toThrow()
    writeFileSync(file, 'nonsense')
    expect(() => endOrphan(file, CHILD)).not.toThrow()
  })
})
