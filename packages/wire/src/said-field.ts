/**
 * What a record says of a field itself, as ingest understands it: under which name, at which place, with which value.
 * Ingest reads every field in one pass; tests hold that both find the same.
 */
import {
  type Accepts,
  ERROR_MESSAGE_KEYS,
  ERROR_STACK_KEYS,
  isDeepName,
  PLACES,
  SLOTS,
  type Slot,
} from './field-names.ts'
import { isObject } from './is-object.ts'
import { PLAIN_LEVEL } from './level.ts'
import { FIRST_EPOCH } from './time/epoch.ts'

type Fields = Record<string, unknown>
type Said = { name: string; value: unknown }
type Names = ReadonlyMap<string, Accepts>

/** The most trusted name that carries a usable value, or nothing. */
export function saidField(record: Fields, slot: Slot): Said | undefined {
  const names = ACCEPTED.get(slot)!
  for (const [name, accepts] of names) {
    if (Object.hasOwn(record, name) && counts(accepts, record[name])) return { name, value: record[name] }
  }
  const below = new Map<string, Said>()
  for (const name in record) {
    const value = record[name]
    if (!isObject(value)) continue
    if (name === 'attributes') findBelow(value, '', names, below)
    else if (isBeginning(`${name}.`, names)) findBelow(value, `${name}.`, names, below)
  }
  if (below.size === 0) return undefined
  return below.get([...names.keys()].find((name) => below.has(name))!)
}

/** The first name of the field that the record does not use for anything. */
export function freeName(record: Fields, slot: Slot): string {
  const names = [...ACCEPTED.get(slot)!.keys()]
  return names.find((name) => !Object.hasOwn(record, name)) ?? slot
}

/** However the dots of a name are made: by the name or by objects in each other. */
function findBelow(fields: Fields, prefix: string, names: Names, found: Map<string, Said>): void {
  for (const [key, value] of Object.entries(fields)) {
    const name = prefix + key
    const accepts = names.get(name)
    if (accepts && isDeepName(name) && counts(accepts, value)) found.set(name, { name, value })
    else if (isObject(value) && isBeginning(`${name}.`, names)) findBelow(value, `${name}.`, names, found)
  }
}

function isBeginning(prefix: string, names: Names): boolean {
  for (const name of names.keys()) if (name.startsWith(prefix)) return true
  return false
}

/** Whether a field takes this value under a name of this kind. */
export function counts(accepts: Accepts, value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && COUNTS[accepts](value)
}

const isClock = (value: unknown) =>
  typeof value === 'number' ? value >= FIRST_EPOCH : typeof value === 'string' && /\d{4}|\d:\d\d/.test(value)

/** A stack may be a list of lines. */
function isError(value: Fields): boolean {
  const holds = (key: string) => Object.hasOwn(value, key) && typeof value[key] === 'string' && value[key] !== ''
  const lists = (key: string) => Object.hasOwn(value, key) && isLines(value[key])
  return [...ERROR_MESSAGE_KEYS, ...ERROR_STACK_KEYS].some(holds) || ERROR_STACK_KEYS.some(lists)
}

function isLines(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === 'string')
}

const COUNTS: Record<Accepts, (value: unknown) => boolean> = {
  any: () => true,
  text: (value) => typeof value === 'string',
  name: (value) => typeof value !== 'object',
  clock: isClock,
  // Nearly: what reads as a time, only ingest knows.
  time: isClock,
  levelName: (value) => typeof value === 'string' && PLAIN_LEVEL.test(value),
  severityNumber: (value) => ['string', 'number'].includes(typeof value) && Number(value) >= 1 && Number(value) <= 24,
  error: (value) => typeof value === 'string' || (isObject(value) && isError(value)),
}

const ACCEPTED = new Map<Slot, Names>(
  SLOTS.map((slot) => [
    slot,
    new Map([...PLACES].flatMap(([name, place]) => (place.slot === slot ? [[name, place.accepts]] : []))),
  ]),
)
