/** What a team commits all day without breaking anything. Each really changes lines, often in files that incidents meet. */
import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import { AUTHORS, type AuthorKey } from '../../../../packages/demo/src/shop/repository/commit-plan.ts'
import { SERVICES, type ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import { DEPENDENCIES, type Dependency } from '../code/dependencies.ts'
import { FUNCTIONS, pathIn, type ShopFunction } from '../code/functions.ts'
import { type Change, editLine, type Files, lineText, replaceText } from './change.ts'
import { moveFile, reformat } from './whole-file-changes.ts'

const SAME_FUNCTION_SHARE = 0.3

type Choice = {
  random: Random
  files: ReadonlyMap<string, string>
  functions: readonly [ShopFunction, ...ShopFunction[]]
}
type Kind = (choice: Choice, of: ShopFunction) => Omit<Change, 'author'>

const KINDS: readonly [Kind, ...Kind[]] = [
  reword,
  raiseLimit,
  (_, of) => ({ message: `Measure ${of.name}\n`, apply: (files) => measure(files, of) }),
  (_, of) => ({ message: `Describe ${of.name}\n`, apply: (files) => describe(files, of) }),
  (_, of) => ({ message: `Describe who calls ${of.name}\n`, apply: (files) => describeCall(files, of) }),
  note,
  note,
  bump,
  sweep,
  (_, of) => ({ message: `Format ${of.module}\n`, apply: (files) => reformat(files, pathIn(files, of)) }),
  (_, of) =>
    of.movedPath === null
      ? { message: `Format ${of.module}\n`, apply: (files) => reformat(files, of.callerPath) }
      : { message: `Move ${of.module} to where it belongs\n`, apply: (files) => moveFile(files, of) },
]

/** Stays within the services that are named. */
export function everydayChange(
  random: Random,
  files: ReadonlyMap<string, string>,
  services: readonly ServiceName[] = SERVICES,
): Change {
  const functions = some(FUNCTIONS.filter(({ service }) => services.includes(service)))
  const choice = { random, files, functions }
  const change = random.pick(KINDS)(choice, random.pick(functions))
  return { author: anybody(random), ...(doesSomething(change, files) ? change : note(choice)) }
}

function doesSomething({ apply }: Pick<Change, 'apply'>, before: ReadonlyMap<string, string>): boolean {
  const after = new Map(before)
  apply(after)
  return after.size !== before.size || [...after].some(([path, content]) => before.get(path) !== content)
}

/** Touches the file of a function; now and then the function itself, without doing it any harm. */
export function neighbourChange(random: Random, of: ShopFunction): Change {
  const isItself = random.chance(SAME_FUNCTION_SHARE)
  const others = FUNCTIONS.filter((one) => one.path === of.path && (one.name === of.name) === isItself)
  const other = random.pick(some(others))
  return { author: anybody(random), message: `Measure ${other.name}\n`, apply: (files) => measure(files, other) }
}

/** The same commit changes something else, too. */
export function alongside(random: Random, change: Change, service: ServiceName): Change {
  const functions = some(FUNCTIONS.filter((one) => one.service === service))
  const other = random.chance(0.5)
    ? note({ random, files: new Map(), functions })
    : sweep({ random, files: new Map(), functions })
  return {
    ...change,
    apply: (files) => {
      other.apply(files)
      change.apply(files)
    },
  }
}

export function anybody(random: Random): AuthorKey {
  return random.pick(some(Object.keys(AUTHORS) as AuthorKey[]))
}

/** Only forwards, and to versions that do no harm. The last version of each is for the incident that it causes. */
function bump({ random, files, functions }: Choice): Omit<Change, 'author'> {
  const services = new Set(functions.map(({ service }) => service))
  const found = random.pick(some(DEPENDENCIES.filter(({ service }) => services.has(service))))
  const from = versionIn(files, found)
  const to = found.versions[found.versions.indexOf(from) + 1]
  if (to === undefined || to === found.versions.at(-1)) return note({ random, files, functions })
  return bumpTo(found, to)
}

export function bumpTo(dependency: Dependency, to: string): Omit<Change, 'author'> {
  return {
    message: `Bump ${dependency.name} to ${to}\n`,
    apply: (files) => {
      const from = versionIn(files, dependency)
      if (from === to) return
      replaceText(files, dependency.manifest, dependency.inManifest(from), dependency.inManifest(to))
      replaceText(files, dependency.lock, dependency.inLock(from), dependency.inLock(to))
    },
  }
}

export function versionIn(files: ReadonlyMap<string, string>, { manifest, inManifest, versions }: Dependency): string {
  const content = files.get(manifest) ?? ''
  return versions.find((version) => content.includes(inManifest(version))) ?? versions[0]
}

function reword({ random }: Choice, of: ShopFunction): Omit<Change, 'author'> {
  const words = random.pick(['asked for', 'kept for', 'found for', 'sent to'])
  const said = /(asked for|kept for|found for|sent to|rows for)/
  return {
    message: `Say more about what ${of.name} reads\n`,
    apply: (files) => editLine(files, of, 'said', (text) => [text.replace(said, words)]),
  }
}

function raiseLimit({ random }: Choice, of: ShopFunction): Omit<Change, 'author'> {
  const most = random.between(5, 60) * 10
  return {
    message: `Let ${of.name} return ${most} rows\n`,
    apply: (files) => {
      // A line that an incident rewrote is left to its fix.
      if (!/min\(.*, \d+\)/i.test(lineText(files, of, 'limit'))) return describe(files, of)
      editLine(files, of, 'limit', (text) => [text.replace(/, \d+\)/, `, ${most})`)])
    },
  }
}

function note({ random, functions }: Choice): Omit<Change, 'author'> {
  const { service, module } = random.pick(functions)
  const path = `services/${service}/notes/${module}.md`
  const line = `- ${random.pick(['Checked', 'Talked about', 'Planned', 'Counted'])} the ${module} again: ${random.hex(6)}.`
  return {
    message: `Note what was decided about ${module}\n`,
    apply: (files) => void files.set(path, `${files.get(path) ?? `# ${module}\n\n`}${line}\n`),
  }
}

/** One small thing in many files of a service. */
function sweep({ random, functions }: Choice): Omit<Change, 'author'> {
  const { service } = random.pick(functions)
  const swept = functions.filter((of) => of.service === service).filter(() => random.chance(0.3))
  return {
    message: `Count what ${service} reads\n`,
    apply: (files) => {
      for (const of of swept) measure(files, of)
    },
  }
}

const COMMENTS = { javascript: '//', java: '//', python: '#', go: '//' } as const

function measure(files: Files, of: ShopFunction): void {
  const end = of.language === 'java' ? ';' : ''
  editLine(files, of, 'said', (text) => [`metrics.count("${of.module}.${of.key}")${end}`, text])
}

function describe(files: Files, of: ShopFunction): void {
  editLine(files, of, 'rows', (text) => [`${COMMENTS[of.language]} At most one read per request.`, text])
}

function describeCall(files: Files, of: ShopFunction): void {
  editLine(files, of, 'call', (text) => [`${COMMENTS[of.language]} Called by partners, too.`, text])
}

function some<T>(values: readonly T[]): readonly [T, ...T[]] {
  const [first, ...more] = values
  if (first === undefined) throw new Error('There is nothing to choose from.')
  return [first, ...more]
}
