/**
 * Who holds the data folder. When the server dies by SIGKILL and its engine hangs, the engine outlives it and keeps the
 * lock; only then may a later server end it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { AppError } from '../../errors.ts'

export function writePidFile(path: string, pid: number): void {
  writeFileSync(path, `${pid} ${process.pid}\n`, { mode: 0o600 })
}

/** Ends the engine in the pid file if it is an orphan; throws if it belongs to a server that is alive. */
export function endOrphan(path: string, childPath: string): void {
  const [pid, parent] = readNumbers(path)
  if (pid === undefined || parent === undefined || !isEngine(pid, childPath)) return
  if (parentOf(pid) === parent) {
    throw new AppError(
      'unavailable',
      `Another Tidemark server (process ${parent}) uses this data folder. Stop it, or set TIDEMARK_DATA_DIR to another folder.`,
    )
  }
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in between.
  }
}

function readNumbers(path: string): number[] {
  return readText(path)
    .trim()
    .split(' ')
    .map(Number)
    .filter((number) => Number.isInteger(number) && number > 1)
}

/** Process ids are reused: what has the id now must be our engine. */
function isEngine(pid: number, childPath: string): boolean {
  return readText(`/proc/${pid}/cmdline`).split('\0').includes(childPath)
}

function parentOf(pid: number): number | undefined {
  // The name in parentheses may hold anything; what follows it may not.
  const [, parent] = /^.*\) \S (\d+)/s.exec(readText(`/proc/${pid}/stat`)) ?? []
  return parent === undefined ? undefined : Number(parent)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
