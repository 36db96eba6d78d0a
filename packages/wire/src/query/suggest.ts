/** Ranks suggestions for the text at the cursor, and puts the accepted one in place. The caller supplies the names and values. */

import { LEVELS } from '../level.ts'
import { counted } from '../text/counted.ts'
import type { Span } from './ast.ts'
import type { Completion } from './complete.ts'
import { CORE_FIELDS, coreField, fieldNamed, sameField } from './fields.ts'
import { nearestNames } from './nearest-names.ts'
import { printField, printValue, quote } from './print.ts'

export type Suggestion = {
  kind: Completion['kind'] /** What to put in place. */
  text: string
  label: string
  detail: string
}

/** `name` as `fieldNamed` reads it, `count`: how many records have it. Our own fields are known. */
type KnownField = { name: string; count?: number; isNumeric?: boolean }
type KnownValue = { value: string; count?: number }
type Vocabulary = { fields: readonly KnownField[]; values?: readonly KnownValue[]; limit?: number }

const DEFAULT_LIMIT = 12
const KEYWORDS = [
  { text: 'AND ', detail: 'both sides' },
  { text: 'OR ', detail: 'either side' },
  { text: 'NOT ', detail: 'excludes what follows' },
]
const OPERATORS = [
  { text: '>=', detail: 'at least' },
  { text: '>', detail: 'more than' },
  { text: '<=', detail: 'at most' },
  { text: '<', detail: 'less than' },
]

export function suggest(completion: Completion, vocabulary: Vocabulary): Suggestion[] {
  return candidates(completion, vocabulary).slice(0, vocabulary.limit ?? DEFAULT_LIMIT)
}

/** Shorter words are too likely to be the beginning of any name. */
const LEAST_HALF_CHARACTERS = 3

/**
 * Returns true if the typed word stops in the middle of the suggested one, so that Enter should complete it: `lev` of
 * `level`, but not `error` of `error.type` or `web` of `web-1`, which are words to search for. At the start of a term only
 * our own fields count: any attribute name may begin like a word that is searched for.
 */
export function isHalfTyped({ prefix, field }: Completion, suggestion: Suggestion | undefined): boolean {
  if (suggestion === undefined || prefix.length < LEAST_HALF_CHARACTERS) return false
  const { kind, label } = suggestion
  const isOffered = kind === 'value' || (kind === 'field' && (field === 'has' || coreField(label) !== undefined))
  const isBeginning = label.toLowerCase().startsWith(prefix.toLowerCase())
  return isOffered && isBeginning && /\p{L}$/u.test(prefix) && /^\p{Ll}/u.test(label.slice(prefix.length))
}

/** The text with a suggestion in place, and the cursor after it. A complete term is followed by exactly one space. */
export function withSuggestion(text: string, { from, to }: Span, suggestion: string): { text: string; cursor: number } {
  const rest = text.slice(to)
  const isUnfinished = /[:<>=\s]$/.test(suggestion) || rest.startsWith(')')
  const inserted = isUnfinished ? suggestion : `${suggestion} `
  const after = inserted.endsWith(' ') ? rest.trimStart() : rest
  return { text: text.slice(0, from) + inserted + after, cursor: from + inserted.length }
}

function candidates(completion: Completion, { fields, values = [] }: Vocabulary): Suggestion[] {
  const { kind, prefix, field } = completion
  if (kind === 'operator') return operators(prefix)
  if (kind === 'keyword') return [...keywords(prefix), ...fieldNames(prefix, fields, true)]
  if (kind === 'field') return fieldNames(prefix, fields, field !== 'has')
  if (field === undefined) return []
  if (coreField(field) === 'level') return [...levels(prefix), ...operators(prefix)]
  const isNumeric = fields.some(({ name, isNumeric }) => isNumeric && sameField(fieldNamed(name), fieldNamed(field)))
  return [...valuesLike(completion, values), ...(isNumeric && prefix === '' ? operators(prefix) : [])]
}

function fieldNames(prefix: string, fields: readonly KnownField[], withColon: boolean): Suggestion[] {
  const own = Object.entries(CORE_FIELDS).map(([name, { about }]) => ({ text: name, name, detail: about, weight: 1 }))
  const others = fields
    .filter(({ name }) => fieldNamed(name).kind === 'attribute')
    .map(({ name, count = 0 }) => ({
      text: printField(fieldNamed(name)),
      name,
      detail: countWords(count),
      weight: count / (count + 1),
    }))
  const has = withColon ? [{ text: 'has', name: 'has', detail: 'has the field at all', weight: 0 }] : []
  const all = [...own, ...others, ...has]
  const typed = prefix.replace(/^@/, '')
  const found = ranked(all, typed)
  const near =
    found.length > 0 || typed.length < 3
      ? []
      : nearestNames(
          typed,
          all.map(({ name }) => name),
        )
  return [...found, ...all.filter(({ name }) => near.includes(name))].map(({ text, name, detail }) => ({
    kind: 'field',
    text: withColon ? `${text}:` : text,
    label: name,
    detail,
  }))
}

function valuesLike({ prefix, isQuoted }: Completion, values: readonly KnownValue[]): Suggestion[] {
  const typed = isQuoted ? prefix : prefix.replace(/\\([\s\S])/g, '$1').replace(/\*$/, '')
  const all = values.map(({ value, count = 0 }) => ({ name: value, count, weight: count / (count + 1) }))
  return ranked(all, typed).map(({ name, count }) => ({
    kind: 'value',
    text: isQuoted ? quote(name) : printValue(name),
    label: name,
    detail: countWords(count),
  }))
}

/** From loud to quiet: errors are what people look for. */
function levels(prefix: string): Suggestion[] {
  const all = [...LEVELS].reverse().map((name) => ({ name, weight: 0 }))
  return ranked(all, prefix).map(({ name }) => ({ kind: 'value', text: name, label: name, detail: '' }))
}

function operators(prefix: string): Suggestion[] {
  return OPERATORS.filter(({ text }) => text.startsWith(prefix)).map(({ text, detail }) => ({
    kind: 'operator',
    text,
    label: text,
    detail,
  }))
}

function keywords(prefix: string): Suggestion[] {
  return KEYWORDS.filter(({ text }) => text.startsWith(prefix)).map(({ text, detail }) => ({
    kind: 'keyword',
    text,
    label: text.trim(),
    detail,
  }))
}

/** Whole, then beginning, then beginning of a part (`status` in `http.status`), then anywhere; then weight, then name. */
function ranked<Item extends { name: string; weight: number }>(items: readonly Item[], typed: string): Item[] {
  const wanted = typed.toLowerCase()
  const scored = items.flatMap((item) => {
    const name = item.name.toLowerCase()
    const at = name.indexOf(wanted)
    if (at < 0) return []
    const isPart = /[^\p{L}\p{N}]/u.test(name[at - 1] ?? ' ')
    return [{ item, rank: name === wanted ? 0 : at === 0 ? 1 : isPart ? 2 : 3 }]
  })
  return scored.sort((a, b) => a.rank - b.rank || b.item.weight - a.item.weight).map(({ item }) => item)
}

function countWords(count: number): string {
  return count === 0 ? '' : counted(count, 'record')
}
