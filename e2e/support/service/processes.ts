/**
 * The processes and folders of a test file: every process it started is gone and every folder removed at its end, however the
 * tests went; a process that outlived the one that started it fails the file.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { atFileEnd } from '../file-end.ts'

export type Environment = Record<string, string>
export type Exit = { code: number | null; signal: NodeJS.Signals | null }

export const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const LOOK_EVERY_MS = 25
/** What a shell gives everybody. Nothing from the test runner, no TIDEMARK_ variable. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR']

/** Processes that a service started must be gone this long after it ended. */
const ORPHAN_GRACE_MS = 5_000

/** Everything that must be gone at some moment. */
export type Belongings = { processes: Set<ChildProcess>; groups: Set<number>; folders: string[] }
export const ofThisFile: Belongings = { processes: new Set(), groups: new Set(), folders: [] }
export const ofThisWorker: Belongings = { processes: new Set(), groups: new Set(), folders: [] }

/** Removed at the end of the test file. */
export function temporaryFolder(): string {
  return folderOf(ofThisFile)
}

export function folderOf(owner: Belongings): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-e2e-'))
  owner.folders.push(folder)
  return folder
}

export type Launched = {
  pid: number
  output: { all: string; stdout: string; stderr: string }
  exited: Promise<Exit>
  isRunning(): boolean
}

export function launch(command: readonly string[], env: Environment, owner = ofThisFile): Launched {
  const [program = '', ...args] = command
  // Its own group: Ctrl-C can be sent to all of it, and the clean-up reaches what it started itself.
  const child = spawn(program, args, {
    cwd: checkout,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  owner.processes.add(child)
  if (child.pid !== undefined) owner.groups.add(child.pid)
  const output = { all: '', stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output.all += text
      output[name] += text
    })
  }
  const closed = new Promise((resolve) => child.once('close', resolve))
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', async (code, signal) => {
      owner.processes.delete(child)
      // An id whose group is gone may be given to somebody else.
      if (child.pid !== undefined) hasMembers(child.pid, owner)
      // The last words may still be in the pipe; a grandchild that holds it open must not hold the test.
      await Promise.race([closed, sleep(1_000)])
      resolve({ code, signal })
    })
  })
  return { pid: child.pid ?? 0, output, exited, isRunning: () => owner.processes.has(child) }
}

export function cleanEnvironment(): Environment {
  return Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

async function groupsLeft(owner: Belongings): Promise<number[]> {
  const giveUpAt = Date.now() + ORPHAN_GRACE_MS
  for (;;) {
    const left = [...owner.groups].filter((group) => hasMembers(group, owner))
    if (left.length === 0 || Date.now() > giveUpAt) return left
    await sleep(LOOK_EVERY_MS)
  }
}

function hasMembers(group: number, { groups }: Belongings): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    groups.delete(group)
    return false
  }
}

function remove({ groups, folders }: Belongings): void {
  for (const group of groups) killGroup(group)
  groups.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

atFileEnd(async () => {
  const { processes } = ofThisFile
  const ends = [...processes].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of processes) if (child.pid) killGroup(child.pid)
  await Promise.all(ends)
  const left = await groupsLeft(ofThisFile)
  remove(ofThisFile)
  expect(left, 'process groups that outlived their first process').toEqual([])
})
// Also for an interrupted run: hooks no longer run then.
process.once('exit', () => [ofThisFile, ofThisWorker].forEach(remove))
process.once('disconnect', () => process.exit(1))
process.once('SIGTERM', () => process.exit(1))
