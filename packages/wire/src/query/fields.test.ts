import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALSO_ATTRIBUTES, namesOf, SLOTS } from '../field-names.ts'
import { CORE_FIELDS, type CoreField, coreField, type Field, fieldNamed, nameOfField } from './fields.ts'

const OF_ERRORS: Record<string, CoreField> = {
  errorType: 'error.type',
  errorMessage: 'error.message',
  errorStack: 'error.stack',
}
/** A time is asked for by the window, and an error by its parts. */
const NOT_ASKED = ['time', 'error']

describe('a name that ingest understands', () => {
  const asked = SLOTS.filter((slot) => !NOT_ASKED.includes(slot))

  it.each(asked)('means the same in a query, or is an attribute there: %s', (slot) => {
    const field = OF_ERRORS[slot] ?? slot
    expect(field in CORE_FIELDS).toBe(true)
    for (const name of namesOf(slot)) {
      expect(coreField(name), name).toBe(ALSO_ATTRIBUTES.has(name) ? undefined : field)
    }
  })

  it('is an attribute only where it is one of them', () => {
    const known = asked.flatMap(namesOf)
    expect([...ALSO_ATTRIBUTES].filter((name) => !known.includes(name))).toEqual([])
  })

  it.each([
    ['dd.service', 'service'],
    ['service_name', 'service'],
    ['app', 'service'],
    ['log.level', 'level'],
    ['dd.trace_id', 'traceId'],
    ['error.kind', 'error.type'],
    ['version', 'release'],
  ])('%s finds %s', (name, field) => {
    expect(fieldNamed(name)).toEqual({ kind: 'core', name: field })
  })
})

describe('the name of a field', () => {
  it('tells ours from attributes, and an @ makes any name an attribute', () => {
    expect(['env', 'service', 'user.id', '@level'].map(fieldNamed)).toEqual([
      { kind: 'core', name: 'environment' },
      { kind: 'core', name: 'service' },
      { kind: 'attribute', name: 'user.id' },
      { kind: 'attribute', name: 'level' },
    ])
  })

  it('leads back to the same field, whatever a sender calls it', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('level', 'env', '@level', '@', '@@x', 'status', 'has'))
    fc.assert(
      fc.property(name, (text) => {
        const field: Field = { kind: 'attribute', name: text }
        expect(fieldNamed(nameOfField(field))).toEqual(field)
      }),
    )
  })
})
