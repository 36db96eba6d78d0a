/**
 * Whether a record says one of these fields itself, as ingest understands it: under which name, at which place, with which
 * value. Ingest reads every field in one pass; a test holds that both find the same.
 */
import { type Accepts, FIELD_NAMES } from './field-names.ts'
import { isObject } from './is-object.ts'
import { PLAIN_LEVEL } from './level.ts'

export type SaidSlot = 'service' | 'environment' | 'level'
type Fields = Record<string, unknown>

export function saysField(record: Fields, slot: SaidSlot): boolean {
  const names = ACCEPTED[slot]
  return Object.entries(record).some(([name, value]) => {
    if (counts(names.get(name), value)) return true
    return isObject(value) && saysBelow(value, name === 'attributes' ? '' : `${name}.`, names)
  })
}

/** The first name of the field that the record does not use for anything. */
export function freeName(record: Fields, slot: SaidSlot): string {
  const names = [...ACCEPTED[slot].keys()]
  return names.find((name) => !Object.hasOwn(record, name)) ?? slot
}

type Names = ReadonlyMap<string, Accepts>

/** Below the top only dotted names count, however their dots are made: by a name or by objects in each other. */
function saysBelow(fields: Fields, prefix: string, names: Names): boolean {
  return Object.entries(fields).some(([key, value]) => {
    const name = prefix + key
    if (name.includes('.') && counts(names.get(name), value)) return true
    return isObject(value) && isBeginning(`${name}.`, names) && saysBelow(value, `${name}.`, names)
  })
}

function isBeginning(prefix: string, names: Names): boolean {
  return [...names.keys()].some((name) => name.startsWith(prefix))
}

function counts(accepts: Accepts | undefined, value: unknown): boolean {
  if (accepts === undefined || value === undefined || value === null || value === '') return false
  return COUNTS[accepts]?.(value) ?? false
}

/** Of the kinds that the names of these fields have. */
const COUNTS: Partial<Record<Accepts, (value: unknown) => boolean>> = {
  any: () => true,
  text: (value) => typeof value === 'string',
  name: (value) => typeof value !== 'object',
  levelName: (value) => typeof value === 'string' && PLAIN_LEVEL.test(value),
  severityNumber: (value) => ['string', 'number'].includes(typeof value) && Number(value) >= 1 && Number(value) <= 24,
}

const ACCEPTED: Record<SaidSlot, Names> = {
  service: acceptedBy('service'),
  environment: acceptedBy('environment'),
  level: acceptedBy('level'),
}

function acceptedBy(slot: SaidSlot): Names {
  return new Map(
    FIELD_NAMES[slot].flatMap(([accepts, names]) => names.split(' ').map((name) => [name, accepts] as const)),
  )
}
