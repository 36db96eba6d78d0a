/**
 * Compares what a document says one sees with what was printed. A document may leave things out: `…` stands for any text
 * within a line or a value, lines and JSON fields may be missing, and one time stands for any other. What it does say must
 * be there, in that order.
 */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** The reason why they differ, or undefined. */
export function differenceInText(documented: string, printed: string): string | undefined {
  const lines = printed.split('\n')
  let at = 0
  for (const line of documented.split('\n').map((one) => one.trimEnd())) {
    if (line === '') continue
    const found = lines.findIndex((one, index) => index >= at && matches(line, one.trimEnd()))
    if (found < 0) return `"${line}" is not printed${at === 0 ? '' : ' there'}, but:\n${printed}`
    at = found + 1
  }
  return undefined
}

export function differenceInJson(documented: string, printed: string): string | undefined {
  const difference = differenceAt('', JSON.parse(documented), JSON.parse(printed))
  return difference === undefined ? undefined : `${difference} in:\n${printed}`
}

function differenceAt(path: string, wanted: unknown, given: unknown): string | undefined {
  if (typeof wanted === 'string' && typeof given === 'string') {
    const isSame = matches(wanted, given) || (TIME.test(wanted) && TIME.test(given))
    return isSame ? undefined : `${path} is "${given}", not "${wanted}"`
  }
  if (Array.isArray(wanted) && Array.isArray(given) && wanted.length !== given.length) {
    return `${path} has ${given.length} entries, not ${wanted.length}`
  }
  if (!isObject(wanted) || !isObject(given)) {
    return wanted === given ? undefined : `${path} is ${JSON.stringify(given)}, not ${JSON.stringify(wanted)}`
  }
  for (const [key, value] of Object.entries(wanted)) {
    const difference = differenceAt(path === '' ? key : `${path}.${key}`, value, given[key])
    if (difference !== undefined) return difference
  }
  return undefined
}

function matches(wanted: string, given: string): boolean {
  const parts = wanted.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(given)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
