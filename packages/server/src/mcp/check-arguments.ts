/** Checks what an agent sent. Reports every problem at once, each with what is accepted, and a corrected call. */

import type { JsonSchema } from '@tidemark/wire/json-schema'
import { nearestNames } from '@tidemark/wire/query/nearest-names'
import { withCommas } from '@tidemark/wire/text/counted'
import { harmlessText } from '@tidemark/wire/text/stranger-text'
import type { z } from 'zod'
import { isStorable, NOT_STORABLE } from '../model/storable-text.ts'
import type { ObjectSchema } from './json-schema.ts'
import { shortenText } from './text/shorten.ts'
import type { ArgumentProblem, Arguments } from './tool-error.ts'

type CheckedArguments<T> = { ok: true; input: T } | { ok: false; problems: ArgumentProblem[]; corrected: Arguments }

const MAX_ARGUMENT_NAME_CHARACTERS = 64

export function checkArguments<T extends z.ZodObject>(
  schema: T,
  { properties, required = [] }: ObjectSchema & { required?: string[] },
  args: Arguments,
  example: Arguments,
): CheckedArguments<z.infer<T>> {
  // Some agents send null to leave an argument out.
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
  const parsed = schema.safeParse(given)
  if (parsed.success && Object.values(given).every(isClean)) return { ok: true, input: parsed.data }

  const names = Object.keys(properties)
  const corrected: Arguments = {}
  const problems: ArgumentProblem[] = []
  const wrong = new Map(parsed.error?.issues.flatMap((issue) => issue.path.slice(0, 1).map((name) => [name, issue])))
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name)) {
      const [nearest] = nearestArgument(name, names)
      problems.push(unknownArgument(name, nearest))
      if (nearest !== undefined && !Object.hasOwn(given, nearest)) {
        const mended = mend(value, properties[nearest] ?? {})
        if (mended !== undefined) corrected[nearest] = mended
      }
    } else if (!isClean(value)) {
      problems.push({ argument: name, message: `${NOT_STORABLE}: remove it.` })
    } else if (!wrong.has(name)) corrected[name] = value
    else {
      const property = properties[name] ?? {}
      problems.push({ argument: name, message: `accepted is ${acceptedBy(property)}.` })
      const mended = mend(value, property) ?? example[name]
      if (mended !== undefined) corrected[name] = mended
    }
  }
  for (const name of required) {
    if (Object.hasOwn(given, name)) continue
    problems.push({ argument: name, message: `needed; accepted is ${acceptedBy(properties[name] ?? {})}.` })
    corrected[name] ??= example[name]
  }
  return { ok: false, problems, corrected }
}

function isClean(value: unknown): boolean {
  return [value].flat().every((one) => typeof one !== 'string' || isStorable(one))
}

function unknownArgument(name: string, nearest: string | undefined): ArgumentProblem {
  const shown = shortenText(harmlessText(name), MAX_ARGUMENT_NAME_CHARACTERS) || '""'
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return { argument: shown, message: `unknown to this tool.${hint}` }
}

/** Agents write trace_id, trace-id and TraceID for traceId; otherwise by similarity. */
function nearestArgument(name: string, names: string[]): string[] {
  const bare = (text: string) => text.replace(/[^a-z0-9]/gi, '').toLowerCase()
  const meant = SYNONYMS.get(bare(name)) ?? bare(name)
  const same = names.filter((one) => bare(one) === bare(meant))
  return same.length > 0 ? same : nearestNames(name.slice(0, MAX_ARGUMENT_NAME_CHARACTERS), names, 1)
}

/** A map: an agent's word is looked up here, and an object would also know `constructor`. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    env: 'environment',
    start: 'from',
    since: 'from',
    starttime: 'from',
    end: 'to',
    until: 'to',
    endtime: 'to',
    q: 'query',
    filter: 'query',
    search: 'query',
    severity: 'level',
    max: 'limit',
    count: 'limit',
    pagesize: 'limit',
    page: 'cursor',
    nextcursor: 'cursor',
    sort: 'order',
    group: 'groupBy',
    interval: 'bucket',
    field: 'name',
    logid: 'id',
    tokens: 'maxTokens',
  }),
)

function acceptedBy(property: JsonSchema): string {
  const { type, minimum, maximum, maxLength, maxItems } = property
  if (Array.isArray(property.enum)) return `one of ${property.enum.join(', ')}`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (type === 'array') return `a list of at most ${maxItems} texts`
  if (type === 'string')
    return maxLength === undefined ? 'a text' : `a text of at most ${withCommas(Number(maxLength))} characters`
  return String(type)
}

/** The accepted value nearest to what was sent; undefined when there is none. */
function mend(value: unknown, property: JsonSchema): unknown {
  const { type, minimum, maximum, maxLength, maxItems } = property
  if (Array.isArray(property.enum)) {
    const options = property.enum as string[]
    return typeof value === 'string' ? nearestNames(value.slice(0, 64), options, 1)[0] : undefined
  }
  if (type === 'integer') {
    const number = Math.round(Number(value))
    if (typeof value === 'object' || Number.isNaN(number)) return undefined
    return Math.min(Math.max(number, Number(minimum)), Number(maximum))
  }
  if (type === 'array') {
    const list = typeof value === 'string' ? value.split(/\s*,\s*/) : value
    return Array.isArray(list) && list.every((one) => typeof one === 'string')
      ? list.slice(0, Number(maxItems))
      : undefined
  }
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof text === 'string' && (maxLength === undefined || text.length <= Number(maxLength)) ? text : undefined
}
