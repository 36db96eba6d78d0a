/** One call of git, bounded in time, output, disk, memory and processor. How it ended is a value; it never throws. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, type GitTransport, hardening, SEARCH_PATH } from './git-settings.ts'

export type GitCall = {
  args: readonly string[]
  cwd: string
  gitDir?: string
  transport?: GitTransport
  /** Besides the hardening, which it cannot weaken by accident. Never a secret: it becomes argv. */
  config?: Readonly<Record<string, string>>
  /** Secrets go here. */
  env?: Readonly<Record<string, string>>
  input?: string
  timeoutMs: number
  maxOutputBytes: number
  /** The call is killed when the folder grows past the limit. */
  quota?: { folder: string; maxBytes: number; lookEveryMs?: number }
  signal?: AbortSignal | undefined
  searchPath?: string | undefined
}

/** `stderr` is for our own log: it can hold a stranger's text. `output` means that there was more than asked for. */
export type GitEnd = {
  ended: 'exit' | 'timeout' | 'quota' | 'output' | 'aborted' | 'missing'
  code: number | null
  stdout: Buffer
  stderr: string
}

const STDERR_CHARACTERS = 4_000
/** Time to remove its own lock files after being asked to end. */
export const TERMINATE_GRACE_MS = 2_000
const QUOTA_LOOK_MS = 250
const PRLIMIT = '/usr/bin/prlimit'
const MAX_MEMORY_BYTES = 4 * 1024 ** 3

export function runGit(call: GitCall): Promise<GitEnd> {
  return new Promise((resolve) => {
    const child = start(call)
    const stdout: Buffer[] = []
    let outputBytes = 0
    let stderr = ''
    let ended: GitEnd['ended'] = 'exit'
    let lastResort: NodeJS.Timeout | undefined

    const end = (why: GitEnd['ended']) => {
      if (ended !== 'exit') return
      ended = why
      endGroup(child, 'SIGTERM')
      lastResort = setTimeout(() => endGroup(child, 'SIGKILL'), TERMINATE_GRACE_MS)
    }
    const abort = () => end('aborted')
    const timer = setTimeout(() => end('timeout'), call.timeoutMs)
    const watch = watchQuota(call, () => end('quota'))
    if (call.signal?.aborted) abort()
    call.signal?.addEventListener('abort', abort, { once: true })

    child.stdout?.on('data', (chunk: Buffer) => {
      const room = call.maxOutputBytes - outputBytes
      if (room > 0) stdout.push(chunk.subarray(0, room))
      outputBytes += chunk.length
      if (outputBytes > call.maxOutputBytes) end('output')
    })
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_CHARACTERS)
    })
    // A child that ends before it has read everything is not our fault.
    child.stdin?.on('error', () => {}).end(call.input ?? '')
    const finish = (code: number | null, why: GitEnd['ended']) => {
      clearTimeout(timer)
      clearTimeout(lastResort)
      clearInterval(watch)
      call.signal?.removeEventListener('abort', abort)
      resolve({ ended: why, code, stdout: Buffer.concat(stdout), stderr })
    }
    child.once('error', () => finish(null, 'missing'))
    child.once('close', (code) => {
      if (ended !== 'exit') endGroup(child, 'SIGKILL')
      finish(code, ended === 'exit' && code !== 0 && isOverQuota(call) ? 'quota' : ended)
    })
  })
}

function start(call: GitCall): ChildProcess {
  const { args, cwd, gitDir, transport = 'none', config = {}, env = {}, searchPath = SEARCH_PATH } = call
  const settings = Object.entries({ ...hardening(transport), ...config }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ])
  const command = [...limits(call), 'git', '--no-pager', ...settings, ...args]
  return spawn(command[0] ?? 'git', command.slice(1), {
    cwd,
    env: { ...cleanEnvironment(transport, searchPath), ...(gitDir !== undefined && { GIT_DIR: gitDir }), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group, so that ssh and the packers end with it.
    detached: true,
  })
}

/** A second limit, in the kernel: it also holds between two checks of the folder, and when this process dies. */
function limits({ timeoutMs, quota }: GitCall): string[] {
  if (!existsSync(PRLIMIT)) return []
  const seconds = Math.ceil(timeoutMs / 1_000)
  const file = quota === undefined ? [] : [`--fsize=${quota.maxBytes}`]
  return [PRLIMIT, '--core=0', `--cpu=${seconds}`, `--as=${MAX_MEMORY_BYTES}`, ...file, '--']
}

function watchQuota({ quota }: GitCall, exceeded: () => void): NodeJS.Timeout | undefined {
  if (quota === undefined) return undefined
  const look = () => {
    if (folderBytes(quota.folder) > quota.maxBytes) exceeded()
  }
  return setInterval(look, quota.lookEveryMs ?? QUOTA_LOOK_MS)
}

/** The kernel may have been quicker than the watcher: then a file of exactly the limit is left. */
function isOverQuota({ quota }: GitCall): boolean {
  return quota !== undefined && folderBytes(quota.folder) >= quota.maxBytes
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in it.
  }
}

/** What the files below a folder hold. Files come and go meanwhile: what is gone counts nothing. */
export function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += folderBytes(path)
    else bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
