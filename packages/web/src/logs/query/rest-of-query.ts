/** A query without one of its fields: what the values of that field are counted in, so that its other values are seen. */
import { allOf, conjunctsOf, type Expression, termsOf } from '@tidemark/wire/query/ast'
import type { Completion } from '@tidemark/wire/query/complete'
import { nameOfField } from '@tidemark/wire/query/fields'
import { parseQuery } from '@tidemark/wire/query/parse'
import { printQuery } from '@tidemark/wire/query/print'

/** `values`: those asked for as they are; excluded ones, wildcards and comparisons choose none. */
export type ChosenField = { name: string; values: string[]; rest: string | undefined }

export function chosenFields(query: string | undefined): ChosenField[] {
  const parsed = parseQuery(query ?? '')
  if (!parsed.ok) return []
  const parts = conjunctsOf(parsed.query).map((part) => ({ part, name: onlyFieldOf(part) }))
  const names = new Set(parts.flatMap(({ name }) => name ?? []))
  return [...names].map((name) => ({
    name,
    values: parts.flatMap(({ part, name: its }) => (its === name && part.kind !== 'not' ? literalsOf(part) : [])),
    rest: printQuery({ root: allOf(parts.filter((one) => one.name !== name).map(({ part }) => part)) }) || undefined,
  }))
}

/** What surrounds the value that is being typed, or undefined where that is no query of its own. */
export function queryAround(text: string, { field, from, to }: Completion): string | undefined {
  if (field === undefined) return undefined
  const before = text.slice(0, from).replace(/-?[^\s()":]+:[<>=]*$/, '')
  const around = `${before.trim()} ${text.slice(to).trim()}`.trim()
  return around !== '' && parseQuery(around).ok ? around : undefined
}

function onlyFieldOf(part: Expression): string | undefined {
  const names = termsOf(part).map((term) => (term.kind === 'field' ? nameOfField(term.field) : undefined))
  return names.every((name) => name === names[0]) ? names[0] : undefined
}

function literalsOf(part: Expression): string[] {
  return termsOf(part).flatMap((term) =>
    term.kind === 'field' && term.match.kind === 'literal' ? [term.match.value] : [],
  )
}
