/** The command line as a person or a CI step runs it: a process with its own environment, folder and pipes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { atFileEnd } from '../file-end.ts'
import { checkout, temporaryFolder } from '../service/processes.ts'

export const BIN = join(checkout, 'packages/cli/bin/tidemark.mjs')

type Run = {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the exit code once both streams are closed; null after a signal. */
  ended: Promise<number | null>
}

type Options = { env?: Record<string, string>; cwd?: string }

const running = new Set<ChildProcess>()

export function start(command: readonly string[], { env = {}, cwd = temporaryFolder() }: Options = {}): Run {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: temporaryFolder(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  return { child, stdout: () => output.stdout, stderr: () => output.stderr, ended }
}

export async function run(command: readonly string[], { stdin = '', ...options }: Options & { stdin?: string } = {}) {
  const process = start(command, options)
  process.child.stdin?.on('error', () => {})
  process.child.stdin?.end(stdin)
  const code = await process.ended
  return { code, stdout: process.stdout(), stderr: process.stderr() }
}

/** A folder for PATH whose `tidemark`, and `npx … tidemark`, are the command line of this checkout. */
export function pathWithCommands(): string {
  const folder = join(temporaryFolder(), 'bin')
  mkdirSync(folder)
  const tidemark = `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`
  const npx = `#!/bin/sh\nwhile [ "$1" != tidemark ]; do shift; done\nshift\nexec "${process.execPath}" "${BIN}" "$@"\n`
  for (const [name, text] of Object.entries({ tidemark, npx })) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  return `${folder}${delimiter}${process.env.PATH}`
}

atFileEnd(() => {
  for (const child of running) child.kill('SIGKILL')
})
