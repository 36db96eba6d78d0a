/** A project as a stranger has it: the SDK from the tarball that the service serves, and loggers and frameworks from npm. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atFileEnd } from '../file-end.ts'
import { checkout, temporaryFolder } from '../service/processes.ts'

export const SDK_TARBALL = join(checkout, 'packages/server/dist/packages/sdk.tgz')
const NEIGHBOURS = ['pino', 'winston', 'winston-transport', 'express', 'fastify', '@types/node']
const TIMEOUT_MS = 60_000
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR']

export type Ended = {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  tookMs: number
}
type Running = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves when the program has printed the text. */
  printed(text: string): Promise<void>
}

const running = new Set<ChildProcess>()

export function createSdkProject(): string {
  const folder = temporaryFolder()
  const installed = join(folder, 'node_modules/@tidemark/sdk')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', SDK_TARBALL, '-C', installed, '--strip-components=1'])
  mkdirSync(join(folder, 'node_modules/@types'))
  for (const name of NEIGHBOURS) symlinkSync(join(checkout, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}

/** Writes the program into the project and starts it. */
export function startProgram(folder: string, name: string, source: string, env: Record<string, string> = {}): Running {
  const path = join(folder, name)
  writeFileSync(path, source)
  const startedAt = Date.now()
  const passedOn = Object.fromEntries(PASSED_ON.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])))
  const child = spawn(process.execPath, [path], { cwd: folder, env: { ...passedOn, ...env } })
  running.add(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  let stdout = ''
  let stderr = ''
  const waiting: { text: string; resolve: () => void }[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    for (const one of waiting) if (stdout.includes(one.text)) one.resolve()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      clearTimeout(timer)
      resolve({ code, signal, stdout, stderr, tookMs: Date.now() - startedAt })
    })
  })
  return {
    child,
    ended,
    async printed(text) {
      if (stdout.includes(text)) return
      const seen = new Promise<void>((resolve) => waiting.push({ text, resolve }))
      const tooEarly = ended.then((end) => {
        if (!end.stdout.includes(text)) throw new Error(`It ended before it printed "${text}":\n${JSON.stringify(end)}`)
      })
      await Promise.race([seen, tooEarly])
    },
  }
}

export function runProgram(folder: string, name: string, source: string, env?: Record<string, string>): Promise<Ended> {
  return startProgram(folder, name, source, env).ended
}

atFileEnd(() => {
  for (const child of running) child.kill('SIGKILL')
})
