import { CORE_FIELDS } from '@tidemark/wire/query/fields'
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'

const MAX_OFFERED = 30
/** Of these each record has its own, or they have a view of their own. */
const NOT_GROUPED = new Set(['id', 'pattern', 'message', 'error.stack'])

type Offered = { name: string; coverage: number | null }

/** Fields to choose from: those that were found, the most frequent first, then ours that were not looked at. */
export function offeredFields(fields: FieldsAnswer['fields'], typed: string, isOfNumbers: boolean): Offered[] {
  const found = fields
    .filter(({ type }) => !isOfNumbers || type === 'number' || type === 'mixed')
    .map(({ name, coverage }): Offered => ({ name, coverage }))
  const ours = isOfNumbers
    ? []
    : Object.keys(CORE_FIELDS)
        .filter((name) => !NOT_GROUPED.has(name) && !found.some((one) => one.name === name))
        .map((name): Offered => ({ name, coverage: null }))
  const text = typed.trim().toLowerCase()
  const [begin, contain]: [Offered[], Offered[]] = [[], []]
  for (const one of [...found, ...ours]) {
    const name = one.name.toLowerCase()
    if (name.startsWith(text)) begin.push(one)
    else if (name.includes(text)) contain.push(one)
  }
  return [...begin, ...contain].slice(0, MAX_OFFERED)
}
