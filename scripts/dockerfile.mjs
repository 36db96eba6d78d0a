// Reads a Dockerfile: the instructions that ours uses, each in one form. Whatever else stands there is refused, so that
// nothing is left out when the file is carried out by scripts/try-image.mjs or looked at by a test.

/** Stages in their order, each with `from`, its `name`, and its steps. Throws with the line of what it does not know. */
export function readDockerfile(text) {
  const stages = []
  for (const { number, line } of instructions(text)) {
    const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.+)$/s.exec(line) ?? []
    const refuse = (why) => new Error(`Dockerfile, line ${number}: ${why}: ${line.slice(0, 80)}`)
    if (keyword === 'FROM') {
      const [, from, name] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      if (from === undefined) throw refuse('FROM takes an image and a name')
      stages.push({ from, name, steps: [] })
      continue
    }
    const read = READERS[keyword]
    if (read === undefined) throw refuse('this instruction is not known here')
    if (stages.length === 0) throw refuse('it stands before the first FROM')
    const step = read(rest)
    if (step === undefined) throw refuse('this form of it is not known here')
    stages.at(-1).steps.push({ kind: keyword, ...step })
  }
  return stages
}

/** Lines without comments, continued ones joined. */
function instructions(text) {
  const found = []
  let isOpen = false
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) return
    const isContinued = line.endsWith('\\')
    const part = isContinued ? line.slice(0, -1).trimEnd() : line
    if (isOpen) found.at(-1).line += ` ${part}`
    else found.push({ number: index + 1, line: part })
    isOpen = isContinued
  })
  return found
}

const READERS = {
  WORKDIR: (rest) => (/^\/\S*$/.test(rest) ? { path: rest } : undefined),
  USER: (rest) => matched(/^(?<uid>\d+):(?<gid>\d+)$/, rest),
  EXPOSE: (rest) => matched(/^(?<port>\d+)$/, rest),
  RUN: (rest) => (rest.startsWith('--') || rest.startsWith('[') ? undefined : { command: rest }),
  ENV: readEnvironment,
  COPY: readCopy,
  VOLUME: (rest) => withList('paths', rest),
  CMD: (rest) => withList('command', rest),
  HEALTHCHECK: readHealthCheck,
}

function readEnvironment(rest) {
  const pairs = rest.split(/\s+/).map((pair) => /^([A-Z_]+)=([^"'\\$]*)$/.exec(pair))
  if (pairs.includes(null)) return undefined
  return { variables: Object.fromEntries(pairs.map(([, name, value]) => [name, value])) }
}

function readCopy(rest) {
  const [, from, paths] = /^(?:--from=(\S+) )?([^-[].*)$/.exec(rest) ?? []
  const names = paths?.split(/\s+/) ?? []
  if (names.length < 2 || /[*?"'\\$]/.test(rest)) return undefined
  return { from, sources: names.slice(0, -1), target: names.at(-1) }
}

function readHealthCheck(rest) {
  const [, flags, list] = /^((?:--[a-z-]+=\S+ )*)CMD (\[.*)$/.exec(rest) ?? []
  if (list === undefined) return undefined
  const options = Object.fromEntries(
    flags
      .trim()
      .split(' ')
      .filter(Boolean)
      .map((flag) => flag.slice(2).split('=')),
  )
  return { options, ...withList('command', list) }
}

function withList(name, text) {
  try {
    const list = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? { [name]: list } : undefined
  } catch {
    return undefined
  }
}

function matched(pattern, text) {
  const groups = pattern.exec(text)?.groups
  return groups && { ...groups }
}
