/** What tells records apart that all say the same: for each, the few values that the others do not share. */
import { nameOfField } from '@tidemark/wire/query/fields'
import type { LogRow } from '@tidemark/wire/reading/row'

type Differing = { field: string; value: string }

const SHOWN = 3
const MAX_CHARACTERS = 40
/** What a reader asks first: which request, whose, and where to follow it. */
const FIRST = [
  /(^|\.)(route|path|url|endpoint|job|queue)$/i,
  /(^|\.)(user|customer|account|tenant)(\.?_?id)?$/i,
  /^traceId$/,
]

export function whatDiffers(rows: readonly LogRow[]): Differing[][] {
  const all = rows.map(valuesOf)
  const names = [...new Set(all.flatMap((values) => [...values.keys()]))]
  const telling = names
    .filter((name) => new Set(all.map((values) => values.get(name))).size > 1)
    .map((name, at) => ({ name, at, rank: rankOf(name) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .filter(({ name }, at, sorted) => !sorted.slice(0, at).some((before) => repeats(all, name, before.name)))
    .slice(0, SHOWN)
  return all.map((values) =>
    telling.flatMap(({ name }) => {
      const value = values.get(name)
      return value === undefined ? [] : [{ field: name, value }]
    }),
  )
}

/** Wherever it has a value, the other has the same: an id that is sent under two names tells nothing more. */
function repeats(all: readonly Map<string, string>[], name: string, other: string): boolean {
  return all.every((values) => !values.has(name) || values.get(name) === values.get(other))
}

function valuesOf(row: LogRow): Map<string, string> {
  const attributes = Object.entries(row.attributes).map(
    ([name, value]) => [nameOfField({ kind: 'attribute', name }), String(value)] as const,
  )
  const own = [['traceId', row.traceId] as const, ['host', row.host] as const, ['release', row.release] as const]
  return new Map([...attributes, ...own].filter(([, value]) => value !== '' && value.length <= MAX_CHARACTERS))
}

function rankOf(name: string): number {
  const at = FIRST.findIndex((pattern) => pattern.test(name))
  return at === -1 ? FIRST.length : at
}
