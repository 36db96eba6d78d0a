/**
 * A private folder for one call of git: its working directory, where a deploy key lies for as long as the call takes. The
 * name holds our process id, so that what a crash left behind can be told from what another process is using.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR_MS } from '@tidemark/wire/time/units'

const PREFIX = '.work-'
/** Longer than any call takes. */
const LEFT_BEHIND_MS = HOUR_MS

export async function inWorkFolder<Result>(root: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(root, `${PREFIX}${process.pid}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** At the start, before this process has made any. */
export function removeLeftWorkFolders(root: string, nowMs: number): void {
  for (const name of readdirSync(root)) {
    const pid = Number(/^\.work-(\d+)-/.exec(name)?.[1])
    if (!name.startsWith(PREFIX)) continue
    const path = join(root, name)
    const isOld = nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LEFT_BEHIND_MS
    if (pid === process.pid || isOld || !isRunning(pid)) rmSync(path, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
