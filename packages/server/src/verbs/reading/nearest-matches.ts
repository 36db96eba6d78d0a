/** Which terms of a query match nothing in a window, and the nearest words and values that are there. */
import { conjunctsOf, type Expression, NOWHERE, type Query } from '@tidemark/wire/query/ast'
import type { Field } from '@tidemark/wire/query/fields'
import { nearestNames } from '@tidemark/wire/query/nearest-names'
import { printExpression, printValue, quote } from '@tidemark/wire/query/print'
import type { NearestTerms } from '@tidemark/wire/reading/question'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { cutWithEllipsis } from '@tidemark/wire/text/cut-text'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import { PATTERN_SLICES } from '../../logstore/questions.ts'
import type { TimeRange } from '../../model/time-range.ts'

/** Each costs a count. */
const MAX_TERMS = 4
const MAX_VALUES = 1_000
const MAX_PATTERNS = 500
const MAX_NAMED = 3
const MAX_SHOWN_CHARACTERS = 100
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu
/** A longer or shorter form of the same word. */
const MIN_STEM = 4

type Asked = Pick<ProjectLogs, 'total' | 'groups' | 'patterns' | 'patternSamples'>
type Place = { range: TimeRange; signal: AbortSignal | undefined }
type Near = { term: Expression; count: number }
type Found = { term: Expression; near: Near[] }

/** `sentences`: none when there is nothing to say beyond that nothing matches. */
export type NearestMatches = { sentences: string[]; nearest: NearestTerms[] }

export async function nearestMatches(logs: Asked, query: Query, place: Place): Promise<NearestMatches> {
  const terms = conjunctsOf(query).slice(0, MAX_TERMS)
  const counts = await Promise.all(terms.map((root) => countOf(logs, root, place)))
  const missing = terms.filter((_, at) => counts[at] === 0)
  if (missing.length > 0) {
    const found = await Promise.all(missing.map(async (term) => ({ term, near: await nearTo(logs, term, place) })))
    return { sentences: found.map(sentenceOf), nearest: found.flatMap(replacementsOf) }
  }
  if (terms.length < 2) return { sentences: [], nearest: [] }
  const each = terms.map((term, at) => `${named(term)} (${withCommas(counts[at] ?? 0)})`).join(', ')
  return { sentences: [`Each term matches records by itself, but none matches them all: ${each}.`], nearest: [] }
}

/** None for a term that was asked for beside the query: it has no place in it. */
function replacementsOf({ term, near }: Found): NearestTerms[] {
  if (near.length === 0 || !('span' in term) || term.span.to === term.span.from) return []
  return [{ ...term.span, suggestions: near.map((one) => printExpression(one.term)) }]
}

function countOf(logs: Asked, root: Expression, { range, signal }: Place): Promise<number> {
  return logs.total({ range, filter: { root }, signal })
}

function sentenceOf({ term, near }: Found): string {
  const none = `Nothing matches ${named(term)}`
  if (near.length === 0) return `${none}.`
  const there = near.map(({ term, count }) => `${named(term)} (${counted(count, 'record')})`).join(', ')
  return `${none}; there is ${there}.`
}

async function nearTo(logs: Asked, term: Expression, place: Place): Promise<Near[]> {
  if (term.kind === 'text' && term.match.kind === 'literal') return nearWords(logs, term.match.value, place)
  if (term.kind === 'field' && term.match.kind === 'literal')
    return nearValues(logs, term.field, term.match.value, place)
  return []
}

/** Of the messages of the window: one of each pattern says which words there are. */
async function nearWords(logs: Asked, asked: string, place: Place): Promise<Near[]> {
  const { range, signal } = place
  const filter = { root: null }
  const lengthUs = Math.ceil((range.toUs - range.fromUs) / PATTERN_SLICES)
  const question = { slices: { startUs: range.fromUs, lengthUs }, limit: MAX_PATTERNS }
  const { largest } = await logs.patterns({ range, filter, signal }, question)
  const places = largest.map(({ pattern, lastUs }) => ({ pattern, timeUs: lastUs }))
  const samples = places.length === 0 ? [] : await logs.patternSamples({ filter, signal }, places)
  const words = new Set(samples.flatMap(({ message }) => message.toLowerCase().match(WORD) ?? []))
  const near = nearestOf(asked, words).map(
    (value): Expression => ({ kind: 'text', match: literal(value), span: NOWHERE }),
  )
  const counts = await Promise.all(near.map((term) => countOf(logs, term, place)))
  return near.map((term, at) => ({ term, count: counts[at] ?? 0 })).filter(({ count }) => count > 0)
}

async function nearValues(logs: Asked, field: Field, asked: string, { range, signal }: Place): Promise<Near[]> {
  const { largest } = await logs.groups(
    { range, filter: { root: null }, signal },
    { fields: [field], limit: MAX_VALUES },
  )
  const counts = new Map(largest.flatMap(({ values: [value], count }) => (value ? [[value, count] as const] : [])))
  const near = nearestOf(asked, counts.keys())
  const values = near.length > 0 ? near : field.kind === 'core' ? [...counts.keys()].slice(0, MAX_NAMED) : []
  return values.map((value) => ({
    term: { kind: 'field', field, match: literal(value), span: NOWHERE },
    count: counts.get(value) ?? 0,
  }))
}

function nearestOf(asked: string, there: Iterable<string>): string[] {
  const all = [...there]
  const wanted = asked.toLowerCase()
  const forms = all.filter((one) => {
    const [short, long] = one.length < wanted.length ? [one, wanted] : [wanted, one]
    return short.length >= MIN_STEM && long.toLowerCase().startsWith(short.toLowerCase())
  })
  return [...new Set([...nearestNames(asked, all, MAX_NAMED), ...forms])].slice(0, MAX_NAMED)
}

const literal = (value: string) => ({ kind: 'literal' as const, value, quoted: printValue(value) !== value })

/** As a query has it. A bare word is in quotes, or it would be one of the sentence: "there is nothing (1 record)". */
function named(term: Expression): string {
  if ((term.kind !== 'text' && term.kind !== 'field') || term.match.kind !== 'literal') {
    return cutWithEllipsis(printExpression(term), MAX_SHOWN_CHARACTERS)
  }
  // The value is cut, never its closing quote.
  const value = cutWithEllipsis(term.match.value, MAX_SHOWN_CHARACTERS)
  return term.kind === 'text' ? quote(value) : printExpression({ ...term, match: { ...term.match, value } })
}
