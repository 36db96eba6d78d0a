import { namesOf } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createNormalizer } from '../../../server/src/ingest/record/normalize.ts'
import { compileRedaction } from '../../../server/src/redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../../server/src/redaction/settings.ts'
import { completeRecord } from './complete-record.ts'

const DEFAULTS = { service: 'given', environment: 'given', level: 'fatal' }
/** What the service takes for a record that does not say it. */
const UNSAID = { service: '', environment: 'unsaid', level: 'info' }
const SLOTS = ['service', 'environment', 'level'] as const

const normalize = createNormalizer({
  receivedUs: Date.parse('2026-01-02T03:04:05Z') * 1_000,
  defaultEnvironment: UNSAID.environment,
  retentionDays: 30,
  needsCleaning: true,
  redaction: compileRedaction(NO_REDACTION_CHANGES),
  redactionCounts: new Map(),
})

type Fields = Record<string, unknown>
type Stored = NonNullable<ReturnType<typeof stored>>

/** As the service reads the text; null for a record that it refuses. */
function stored(json: string) {
  const record = normalize(JSON.parse(json))
  return typeof record === 'string' ? null : { ...record, attributes: Object.fromEntries(record.attributes) }
}

function completed(fields: Fields) {
  return stored(completeRecord(JSON.stringify(fields), fields, DEFAULTS).json)
}

it.each([
  { attributes: { service: { name: 'shop' } } },
  { attributes: { 'service.name': 'shop' } },
  { service: { name: 'shop' } },
  { dd: { service: 'shop' } },
])('leaves a record its own service: %j', (fields) => {
  expect(completed({ message: 'm', ...fields })).toMatchObject({ service: 'shop' })
})

it.each([
  { env: 5 },
  { environment: null },
  { environment: '' },
  { attributes: { environment: 'plain names count only at the top' } },
])('gives a record the environment that it does not say: %j', (fields) => {
  expect(completed({ message: 'm', ...fields })).toMatchObject({ environment: 'given' })
})

it('keeps what a record has under the name of a field that it does not say', () => {
  expect(completed({ message: 'm', service: { id: 7 } })).toMatchObject({
    service: 'given',
    attributes: { 'service.id': 7 },
  })
})

/** Names of the three fields with their dots as dots or as objects in each other, here and there among attributes. */
const name = fc.constantFrom(...SLOTS.flatMap(namesOf))
/** None of them is a level that a record without one has. */
const value = fc.constantFrom<unknown>('shop', 'error', 'WARNING', '17', '', 3, 0, 24, 25, true, false, null, [], {}, [
  'a',
])
const nested = fc
  .tuple(name, value, fc.integer({ min: 0, max: 3 }), fc.boolean())
  .map(([full, held, cuts, isInside]) => {
    let dot = 0
    const keys = full.replaceAll('.', (sign) => (cuts & (1 << dot++) ? ' ' : sign)).split(' ')
    return [...(isInside ? ['attributes'] : []), ...keys].reduceRight<unknown>(
      (inner, key) => ({ [key]: inner }),
      held,
    ) as Fields
  })

it('fills in what the service would not find, and nothing else', () => {
  let filled = 0
  fc.assert(
    fc.property(fc.array(nested, { maxLength: 4 }), (parts) => {
      const fields = parts.reduce<Fields>(merged, { message: 'm' })
      const before = stored(JSON.stringify(fields))
      for (const slot of SLOTS) {
        const record = stored(completeRecord(JSON.stringify(fields), fields, { [slot]: DEFAULTS[slot] }).json)
        if (before === null || !isUnsaid(before, slot)) expect(record).toEqual(before)
        else {
          const known = slot === 'environment' ? { environmentDefaulted: false } : {}
          expect(record).toEqual({ ...before, ...known, [slot]: DEFAULTS[slot] })
          filled++
        }
      }
    }),
    { numRuns: 2_000 },
  )
  expect(filled).toBeGreaterThan(0)
})

function isUnsaid(record: Stored, slot: (typeof SLOTS)[number]): boolean {
  // A level that is not understood is kept as it was sent.
  return record[slot] === UNSAID[slot] && !(slot === 'level' && 'level.original' in record.attributes)
}

function merged(one: Fields, other: Fields): Fields {
  const entries = Object.entries(other).map(([key, inner]) => {
    const held = one[key]
    return [key, isObject(held) && isObject(inner) ? merged(held, inner) : inner] as const
  })
  return { ...one, ...Object.fromEntries(entries) }
}
