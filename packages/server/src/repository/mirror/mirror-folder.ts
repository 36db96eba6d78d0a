/**
 * Where a mirror is: `<root>/<projectId>` with the bare repository and a note of what it is a mirror of. The note is
 * written after the repository, so a mirror that has one is whole.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isIdOf } from '@tidemark/wire/id-form'

export type MirrorNote = {
  /** The id of the connection. */
  repositoryId: string
  generation: number
  branch: string
  headSha: string
}

const NOTE = 'mirror.json'
const INCOMING = '.incoming-'
const OUTGOING = '.outgoing-'

export function gitDirOf(folder: string): string {
  return join(folder, 'mirror.git')
}

/** A project's id becomes part of a path, so it must be one. */
export function mirrorFolder(root: string, projectId: string): string {
  if (!isIdOf('prj', projectId)) throw new Error('a mirror is kept for a project, by its id')
  return join(root, projectId)
}

export function readNote(root: string, projectId: string): MirrorNote | null {
  try {
    return JSON.parse(readFileSync(join(mirrorFolder(root, projectId), NOTE), 'utf8')) as MirrorNote
  } catch {
    return null
  }
}

export function writeNote(folder: string, note: MirrorNote): void {
  const path = join(folder, NOTE)
  writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

export function newIncoming(root: string): string {
  const folder = join(root, `${INCOMING}${randomBytes(8).toString('hex')}`)
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

/** Readers of the mirror that was there before may fail once; they never see half of each. */
export function putInPlace(root: string, projectId: string, incoming: string): void {
  moveAway(root, projectId)
  renameSync(incoming, mirrorFolder(root, projectId))
  removeLeftFolders(root, OUTGOING)
}

export function removeMirror(root: string, projectId: string): void {
  moveAway(root, projectId)
  removeLeftFolders(root, OUTGOING)
}

/** Ids of the projects that have a folder here. */
export function mirroredProjects(root: string): string[] {
  return readdirSync(root).filter((name) => isIdOf('prj', name))
}

/** What a crash left behind. */
export function removeLeftMirrors(root: string): void {
  removeLeftFolders(root, INCOMING)
  removeLeftFolders(root, OUTGOING)
}

/** After a fetch that was killed: its unfinished packs, and locks that would block the next one. */
export function removeUnfinished(gitDir: string): void {
  for (const entry of readdirSync(gitDir, { recursive: true, encoding: 'utf8' })) {
    if (/(?:^|\/)tmp_[^/]+$|\.lock$/.test(entry)) rmSync(join(gitDir, entry), { recursive: true, force: true })
  }
}

/** A rename is instant; removing a large folder is not. */
function moveAway(root: string, projectId: string): void {
  const folder = mirrorFolder(root, projectId)
  if (existsSync(folder)) renameSync(folder, join(root, `${OUTGOING}${randomBytes(8).toString('hex')}`))
}

function removeLeftFolders(root: string, prefix: string): void {
  for (const name of readdirSync(root)) {
    if (name.startsWith(prefix)) rmSync(join(root, name), { recursive: true, force: true })
  }
}
