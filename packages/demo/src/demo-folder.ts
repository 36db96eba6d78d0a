/** What the demo remembers between two runs, and whose folder it is. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimDataFolder } from '@tidemark/server/data-folder'
import { AppError } from '@tidemark/server/errors'

export type DemoState = {
  seed: number
  /** When the history ends. All of it is made from this and the seed. */
  nowMs: number
  /** Null until the service has made it. */
  project: { id: string; name: string } | null
  ingestKey: string
  readKey: string
  loadedAtMs: number | null
  /** The start of the run in which the live deploy was recorded. */
  liveStartMs: number | null
  isRepositoryConnected: boolean
}

const STATE_FILE = 'demo.json'

/** Undefined in a new folder. A folder with other data is refused: the demo must not mix with somebody's own. */
export function openDemoFolder(folder: string, { fresh }: { fresh: boolean }): DemoState | undefined {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return undefined
  const state = readState(folder)
  if (state === undefined)
    throw new AppError(
      'conflict',
      `The folder ${folder} holds something that is not a demo, and is left alone. Name another one with --data-dir.`,
    )
  if (!fresh) return state
  // Claimed first: the folder of a running demo must not be pulled out from under it.
  claimDataFolder(folder).release()
  rmSync(folder, { recursive: true, force: true })
  return undefined
}

/** Whole or not at all: a demo that is killed here must find itself again. Holds keys, so nobody else may read it. */
export function saveState(folder: string, state: DemoState): void {
  writeWhole(join(folder, STATE_FILE), state)
}

export function writeWhole(path: string, content: unknown): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

function readState(folder: string): DemoState | undefined {
  const path = join(folder, STATE_FILE)
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new AppError('conflict', `${path} cannot be read. Delete ${folder} and start the demo again.`, {
      cause: error,
    })
  }
}
