/**
 * Which commits of some deploys may have caused an error, and why, best first. A commit is suspected when it changed what
 * stands in the stack: the line, lines near it, the function, the file, a dependency whose code is in the stack, or at
 * least the service. Lines are followed back through the history, so later commits that moved them do not mislead.
 */
import type { ChangedFile, Commit, Hunk } from '../../model/repository.ts'
import type { DependencyChange } from './dependency-changes.ts'
import { isPathOfService, isTestPath } from './frame-path.ts'

/** A frame of the stack in the repository, the most telling first. */
export type Place = { path: string; line: number | null; function: string }

export type CommitChange = {
  commit: Commit
  /** The deploy that brought it. */
  deployId: string | null
  files: readonly ChangedFile[]
  dependencies: readonly DependencyChange[]
}

export type Suspect = {
  commit: Commit
  deployId: string | null
  file: string
  line: number | null
  /** What it did, as the rest of a sentence that begins with the commit. */
  reason: string
  /** How near the change is to the error. */
  nearness: Nearness
  score: number
}

export type Nearness = 'line' | 'near' | 'function' | 'dependency' | 'file' | 'service'
/** Near enough to have changed what fails. */
export const AT_THE_PLACE: ReadonlySet<Nearness> = new Set(['line', 'near', 'function', 'dependency'])

type SuspectQuestion = {
  /** Newest first, as the history tells; merges may be among them. */
  changes: readonly CommitChange[]
  places: readonly Place[]
  /** Packages of others whose code is in the stack. */
  packages: readonly string[]
  /** Those in whose code the error was thrown, as far as is known. */
  throwing: readonly string[]
  service: string
}

const NEAR_LINES = 3
const SCORES: Record<Nearness, number> = { line: 100, near: 90, function: 80, dependency: 62, file: 60, service: 20 }
/** The program's own frames only called it. */
const THROWING_SCORE = 85
/** Each frame further from the throw counts less; never so much that another kind of nearness is overtaken. */
const PER_FRAME = 1.5
const MOST_FRAMES_COUNTED = 6
/** A commit that touches this much is a clean-up more often than a cause. */
const WIDE_CHANGE_FILES = 60
const WIDE_CHANGE = 15

type Finding = Omit<Suspect, 'commit' | 'deployId'>

export function findSuspects({ changes, places, packages, throwing, service }: SuspectQuestion): Suspect[] {
  const findings = new Map<CommitChange, Finding[]>()
  const add = (change: CommitChange, finding: Finding) =>
    findings.set(change, [...(findings.get(change) ?? []), finding])
  const single = changes.filter(({ commit }) => commit.parents.length < 2)
  places.forEach((place, at) => {
    for (const [change, finding] of followedBack(single, place, at)) add(change, finding)
  })
  for (const change of single) {
    const raised = change.dependencies.find(({ name }) => packages.some((used) => isSamePackage(used, name)))
    if (raised !== undefined) {
      add(
        change,
        dependencyFinding(
          raised,
          throwing.some((used) => isSamePackage(used, raised.name)),
        ),
      )
    }
    const near = serviceFinding(change, service)
    if (near !== null) add(change, near)
  }
  return [...findings].map(([change, found]) => suspectOf(change, found)).sort((one, other) => other.score - one.score)
}

function suspectOf({ commit, deployId, files }: CommitChange, findings: readonly Finding[]): Suspect {
  const [first, ...others] = [...findings].sort((one, other) => other.score - one.score)
  const also = others.filter(({ nearness }) => nearness !== 'service').length
  const isWide = files.length > WIDE_CHANGE_FILES && first!.nearness !== 'line'
  return { commit, deployId, ...first!, score: first!.score + Math.min(also, 3) - (isWide ? WIDE_CHANGE : 0) }
}

/** Every change of the place's file, seen from where the place was at that time. */
function* followedBack(changes: readonly CommitChange[], place: Place, at: number): Generator<[CommitChange, Finding]> {
  let { path, line } = place
  const farther = Math.min(at, MOST_FRAMES_COUNTED) * PER_FRAME
  for (const change of changes) {
    const file = change.files.find((one) => one.path === path)
    if (file === undefined) continue
    yield [change, placeFinding(file, { ...place, path, line }, at, farther)]
    line = line === null ? null : lineBefore(line, file.hunks)
    path = file.previousPath ?? path
  }
}

function placeFinding(file: ChangedFile, { path, line, function: name }: Place, at: number, farther: number): Finding {
  const frame = at === 0 ? 'where the error is thrown' : `frame ${at + 1} of the stack`
  const found = (nearness: Nearness, reason: string, shown: number | null = line): Finding => ({
    file: path,
    line: shown,
    nearness,
    reason,
    score: SCORES[nearness] - farther,
  })
  const distance = line === null ? null : nearestTo(line, file.hunks)
  if (line !== null && distance === 0) return found('line', `changes line ${line} of ${path}, ${frame}`)
  if (line !== null && distance !== null && distance <= NEAR_LINES) {
    const lines = distance === 1 ? 'one line' : `${distance} lines`
    return found('near', `changes ${path} ${lines} from line ${line}, ${frame}`)
  }
  const inside = file.hunks.find(({ section }) => mentions(section, name))
  if (inside !== undefined) {
    return found('function', `changes ${simpleName(name)} in ${path}, ${frame}`, inside.newFrom)
  }
  if (file.change === 'added') return found('file', `adds ${path}, ${frame}`)
  if (file.previousPath !== null) return found('file', `moves ${file.previousPath} to ${path}, ${frame}`)
  return found('file', `changes ${path}, the file of ${at === 0 ? 'the place where the error is thrown' : frame}`, null)
}

function dependencyFinding({ name, from, to, file }: DependencyChange, isThrowing: boolean): Finding {
  const how =
    from === null ? `adds ${name} ${to}` : to === null ? `removes ${name}` : `changes ${name} from ${from} to ${to}`
  const reason = `${how} (${file}), ${isThrowing ? 'whose code throws the error' : 'whose code is in the stack'}`
  return { file, line: null, nearness: 'dependency', reason, score: isThrowing ? THROWING_SCORE : SCORES.dependency }
}

function serviceFinding({ files }: CommitChange, service: string): Finding | null {
  const own = files.filter(({ path }) => !isTestPath(path) && isPathOfService(path, service))
  const [first] = own
  if (first === undefined) return null
  const reason = `changes ${own.length === 1 ? first.path : `${own.length} files`} of the service ${service}, but nothing that stands in the stack`
  return { file: first.path, line: null, nearness: 'service', reason, score: SCORES.service }
}

/** Lines between a line and the nearest change; 0 when it was itself changed, or a line right beside it was removed. */
function nearestTo(line: number, hunks: readonly Hunk[]): number | null {
  let nearest: number | null = null
  for (const { newFrom, newLines } of hunks) {
    // Where lines were only removed, git names the line before the gap.
    const [from, to] = newLines === 0 ? [newFrom, newFrom + 1] : [newFrom, newFrom + newLines - 1]
    const distance = line < from ? from - line : line > to ? line - to : 0
    if (nearest === null || distance < nearest) nearest = distance
  }
  return nearest
}

/** Where the line was before the change; null when the change brought it. */
function lineBefore(line: number, hunks: readonly Hunk[]): number | null {
  let moved = 0
  for (const { newFrom, newLines, oldLines } of hunks) {
    const last = newLines === 0 ? newFrom : newFrom + newLines - 1
    if (newLines > 0 && line >= newFrom && line <= last) return null
    if (line > last) moved += oldLines - newLines
  }
  return line + moved
}

function mentions(section: string, name: string): boolean {
  const simple = simpleName(name)
  if (simple.length < 3 || section === '') return false
  return section.split(/[^\p{L}\p{N}_$]+/u).includes(simple)
}

/** `Cart.total`, `com.acme.Cart.total`, `shop::cart::total` and `main.(*Cart).Total` end with what the source calls it. */
function simpleName(name: string): string {
  return /([\p{L}\p{N}_$]+)\W*$/u.exec(name.replace(/\.func$|::\{\{closure\}\}$|<[^>]*>/g, ''))?.[1] ?? ''
}

/**
 * A manifest may name a group too (`com.fasterxml.jackson.core:jackson-databind`), and a stack only the package of a class
 * (`com.fasterxml.jackson.databind`): then the words of the artifact are names of the package.
 */
function isSamePackage(used: string, named: string): boolean {
  const [one, other] = [bareName(used), bareName(named)]
  if (one === other) return true
  const [group, artifact] = other.split(':')
  if (artifact === undefined) return false
  const names = one.split('.')
  return one === group || artifact.split('-').every((word) => names.includes(word))
}

function bareName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/\/v\d+$/, '')
}
