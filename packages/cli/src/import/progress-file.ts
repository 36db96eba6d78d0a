/** How far an import got, so that `--resume` can continue. A small file per source, service, key and way of reading. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Connection } from '../client/connection.ts'

type Progress = {
  source: string
  /** Everything before it is stored or refused for good. */
  endOffset: number
  /** Of the batch that ends there: it must come up again, or the file is another one. */
  batchId: string
  accepted: number
  rejected: number
}

export class ProgressFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  read(): Progress | undefined {
    try {
      const value = JSON.parse(readFileSync(this.path, 'utf8')) as Progress
      return Number.isSafeInteger(value?.endOffset) && typeof value.batchId === 'string' ? value : undefined
    } catch {
      return undefined
    }
  }

  /** Whole or not at all: a crash in between leaves the one before. */
  write(progress: Progress): void {
    mkdirSync(join(this.path, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(`${this.path}.new`, `${JSON.stringify(progress)}\n`, { mode: 0o600 })
    renameSync(`${this.path}.new`, this.path)
  }

  remove(): void {
    rmSync(this.path, { force: true })
  }
}

export function progressFileFor(
  source: string,
  { url, key }: Connection,
  reading: unknown,
  env: Record<string, string | undefined>,
): ProgressFile {
  const state = env.XDG_STATE_HOME || join(homedir(), '.local', 'state')
  const name = createHash('sha256')
    .update(JSON.stringify([url, key, resolve(source), reading]))
    .digest('hex')
  return new ProgressFile(join(state, 'tidemark', `import-${name.slice(0, 32)}.json`))
}
