/**
 * What a record says of a field itself, as ingest understands it: under which name, at which place, with which value.
 * Ingest reads every field in one pass; tests hold that both find the same.
 */
import { type Accepts, isDeepName, PLACES, SLOTS, type Slot } from './field-names.ts'
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
  const below: Said[] = []
  for (const [name, value] of Object.entries(record)) {
    if (isObject(value)) findBelow(value, name === 'attributes' ? '' : `${name}.`, names, below)
  }
  const order = [...names.keys()]
  return below.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))[0]
}

/** The first name of the field that the record does not use for anything. */
export function freeName(record: Fields, slot: Slot): string {
  const names = [...ACCEPTED.get(slot)!.keys()]
  return names.find((name) => !Object.hasOwn(record, name)) ?? slot
}

/** However the dots of a name are made: by the name or by objects in each other. */
function findBelow(fields: Fields, prefix: string, names: Names, found: Said[]): void {
  for (const [key, value] of Object.entries(fields)) {
    const name = prefix + key
    const accepts = names.get(name)
    if (accepts && isDeepName(name) && counts(accepts, value)) found.push({ name, value })
    else if (isObject(value) && isBeginning(`${name}.`, names)) findBelow(value, `${name}.`, names, found)
  }
}

function isBeginning(prefix: string, names: Names): boolean {
  return [...names.keys()].some((name) => name.startsWith(prefix))
}

/** Whether a field takes this value under a name of this kind. */
export function counts(accepts: Accepts, value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && COUNTS[accepts](value)
}

const isClock = (value: unknown) =>
  typeof value === 'number' ? value >= FIRST_EPOCH : typeof value === 'string' && /\d{4}|\d:\d\d/.test(value)

const COUNTS: Record<Accepts, (value: unknown) => boolean> = {
  any: () => true,
  text: (value) => typeof value === 'string',
  name: (value) => typeof value !== 'object',
  clock: isClock,
  // Nearly: what reads as a time, only ingest knows.
  time: isClock,
  levelName: (value) => typeof value === 'string' && PLAIN_LEVEL.test(value),
  severityNumber: (value) => ['string', 'number'].includes(typeof value) && Number(value) >= 1 && Number(value) <= 24,
  // Nearly: of an object, ingest looks for the parts of an error.
  error: (value) => typeof value === 'string' || isObject(value),
}

const ACCEPTED = new Map<Slot, Names>(
  SLOTS.map((slot) => [
    slot,
    new Map([...PLACES].flatMap(([name, place]) => (place.slot === slot ? [[name, place.accepts]] : []))),
  ]),
)
