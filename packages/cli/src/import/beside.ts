/**
 * One line of a program with what stands beside it: the time of its container, the labels of its stream, the fields of its
 * journal. A line that is a JSON object is a record, and what it says itself comes first; every other line is a message. As
 * at the door, the time beside it counts, and what loses its field stays an attribute.
 */
import { isDeepName, PLACES, type Place, type Slot } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '@tidemark/wire/parse-json'
import { counts, freeName, saidField } from '@tidemark/wire/said-field'
import { levelOfSent } from '@tidemark/wire/senders/sent-level'
import { parseInstant } from '@tidemark/wire/time/instant'
import { completeRecord } from './complete-record.ts'
import type { Defaults } from './entry.ts'

type Fields = Record<string, unknown>

export type Beside = {
  /** Of its attribute, if it becomes one. */
  name: string
  value: unknown
  /** The field that it is for, or that it is for none; without one the name tells. */
  place?: Pick<Place, 'slot' | 'rank'> | 'none' | undefined
  /** Put before a name that is taken; without one the name is numbered. */
  prefix?: string
}
export type BesideLine = { time?: string | undefined; beside: readonly Beside[] }

/** They mean something at the top of a record, and are no field. */
const TOP_NAMES = new Set(['attributes', 'name', 'pid', 'projectApiKey'])

export function recordBeside(line: string, besideLine: BesideLine, defaults: Defaults): { json: string; day: string } {
  const own = objectIn(line)
  const message = { message: line }
  const { json, fields } = own
    ? addBeside(line, own, besideLine)
    : addBeside(JSON.stringify(message), message, besideLine)
  return completeRecord(json, fields, defaults)
}

/** Of what stands beside no line at all there is a record where it names an error, because that says what happened. */
export function recordOfError(besideLine: BesideLine, defaults: Defaults): { json: string; day: string } | undefined {
  const { json, fields } = addBeside('{}', {}, besideLine, {})
  // A type alone is no error, as at the door.
  const isError = (['error', 'errorMessage', 'errorStack'] as const).some((slot) => saidField(fields, slot))
  return isError ? completeRecord(json, fields, defaults) : undefined
}

/** The object in a line that is one. */
export function objectIn(line: string): Fields | undefined {
  const value = /^\s*\{/.test(line) ? parseJson(line) : undefined
  return isObject(value) ? value : undefined
}

/** `text` is the JSON of `own`, which is kept as it is: writing it again would round long numbers. */
export function addBeside(
  text: string,
  own: Fields,
  besideLine: BesideLine,
  message: Fields = (saidField(own, 'message') ?? saidField(own, 'error')) ? {} : { message: text },
): { json: string; fields: Fields } {
  const added = fieldsBeside(own, besideLine, message)
  return { json: withFields(text, own, added), fields: { ...own, ...added } }
}

/** The same as fields to add to `own`, beginning with its message where it has none. */
export function fieldsBeside(own: Fields, { time, beside }: BesideLine, message: Fields = {}): Fields {
  const kept: Beside[] = []
  const held = new Map<Slot, Beside & { rank: number }>()
  for (const one of beside) {
    const place = placeOf(one)
    if (place === undefined) {
      kept.push(one)
      continue
    }
    const { slot, rank, accepts } = place
    const said = saidField(own, slot)
    const holder = said ? { ...said, rank: -1 } : held.get(slot)
    if (one.value === '' || (holder && isSame(slot, holder.value, one.value))) continue
    if (!counts(accepts, one.value) || (holder && holder.rank <= rank)) kept.push(one)
    else {
      if (holder) kept.push(holder)
      held.set(slot, { ...one, rank })
    }
  }
  const added: Fields = { ...message }
  for (const [slot, { name, value, place }] of held) {
    // Under its own name where it has one, because what a value means may depend on it.
    const isFree = place === undefined && !Object.hasOwn(own, name)
    added[isFree ? name : freeName({ ...own, ...added }, slot)] = value
  }
  if (time !== undefined) {
    const said = saidField(own, 'time')
    const isRepeated = said !== undefined && msOf(said.value) === msOf(time)
    if (isRepeated) added[said.name] = null
    else if (said?.name === 'timestamp') kept.unshift(said)
    added.timestamp = time
  }
  addAttributes(added, own, kept)
  return added
}

/** What is beside a line is never its time or its message. */
function placeOf({ name, place }: Beside): Place | undefined {
  if (place === 'none') return undefined
  if (place) return { ...place, accepts: 'any' }
  const found = PLACES.get(name)
  return found?.slot === 'time' || found?.slot === 'message' ? undefined : found
}

/** `30` and `info` are the same level; everything else is what it says. */
function isSame(slot: Slot, one: unknown, other: unknown): boolean {
  if (String(one) === String(other)) return true
  const level = slot === 'level' ? levelOfSent(one) : null
  return level !== null && level === levelOfSent(other)
}

/** Not a number for what names no zone: that is not worth a guess. */
function msOf(time: unknown): number {
  const instant = parseInstant(String(time))
  return typeof instant === 'number' ? Math.floor(instant / 1_000) : Number.NaN
}

/** A name that would count as a field stands among the attributes of the record, if it has none yet. */
function addAttributes(added: Fields, own: Fields, kept: readonly Beside[]): void {
  const inside: Fields = {}
  for (const { name, value, prefix, place } of kept) {
    // A value that is for no field would fill an empty field of its name, whether it stands at the top or among the attributes.
    const fills = place === 'none' && isDeepName(name) && isEmpty({ ...own, ...added }, name)
    const isInside = isField(name) && !fills && !Object.hasOwn(own, 'attributes') && !isAttribute(own, name)
    const into = isInside ? inside : added
    const isTaken = (key: string) => Object.hasOwn(into, key) || (!isInside && Object.hasOwn(own, key))
    let free = name
    if (prefix && (isTaken(name) || (isField(name) && !isInside))) free = prefix + name
    for (let number = 2; isTaken(free) || (!isInside && isField(free)); number++) free = `${name}#${number}`
    into[free] = value
  }
  if (Object.keys(inside).length > 0) added.attributes = inside
}

/** Whether a record says nothing of the field that a name is for, if any. */
function isEmpty(record: Fields, name: string): boolean {
  const slot = PLACES.get(name)?.slot
  return slot !== undefined && saidField(record, slot) === undefined
}

/** Whether it means something at the top of a record. */
function isField(name: string): boolean {
  return PLACES.has(name) || TOP_NAMES.has(name)
}

/** Whether it is an attribute of the record already. Its own `timestamp` gives way to the time beside it. */
function isAttribute(own: Fields, name: string): boolean {
  const value = Object.hasOwn(own, name) ? own[name] : undefined
  if (name === 'timestamp' || !counts('any', value) || isObject(value)) return false
  const slot = PLACES.get(name)?.slot
  return slot === 'time' || (slot !== undefined && saidField(own, slot)?.name !== name)
}

/** At the end, because of a name that stands twice in JSON the last value counts. */
function withFields(text: string, own: Fields, added: Fields): string {
  if (Object.keys(added).length === 0) return text
  const separator = Object.keys(own).length === 0 ? '' : ','
  return `${text.trimEnd().slice(0, -1)}${separator}${JSON.stringify(added).slice(1)}`
}
