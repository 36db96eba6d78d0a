import { describe, expect, it } from 'vitest'
import type { Profile } from '../../model/profile.ts'
import { standoutsOf } from './standouts.ts'

type Values = Record<string, number>

/** All records have the fields; values with their counts, most first. */
function profile(fields: Record<string, Values>, records?: number): Profile {
  const listed = Object.entries(fields).map(([name, values]) => ({
    field: { kind: 'attribute' as const, name },
    records: Object.values(values).reduce((sum, count) => sum + count, 0),
    values: Object.entries(values).map(([value, count]) => ({ value, count })),
  }))
  return { records: records ?? Math.max(0, ...listed.map((one) => one.records)), fields: listed }
}

const values = (errors: Profile, others: Profile) =>
  standoutsOf(errors, others).map(({ field, value }) => `${field.name}=${value}`)

describe('what stands out', () => {
  it('is a value that nearly all errors have and few others do', () => {
    const errors = profile({ tenant: { northwind: 230 } })
    const others = profile({ tenant: { acme: 3000, northwind: 40, globex: 1100 } })
    expect(standoutsOf(errors, others)).toMatchObject([
      { value: 'northwind', role: 'data', errors: 230, errorsWithField: 230, others: 40, othersWithField: 4140 },
    ])
  })

  it('is nothing that others have as often', () => {
    const errors = profile({ tenant: { acme: 60, globex: 40 }, country: { de: 95, fr: 5 } })
    const others = profile({ tenant: { acme: 600, globex: 400 }, country: { de: 900, fr: 100 } })
    expect(values(errors, others)).toEqual([])
  })

  it('needs enough of both to be told from chance', () => {
    expect(values(profile({ tenant: { a: 4 } }), profile({ tenant: { b: 1000 } }))).toEqual([])
    expect(values(profile({ tenant: { a: 40 } }), profile({ tenant: { b: 10 } }))).toEqual([])
    expect(values(profile({ tenant: { a: 8 } }), profile({ tenant: { b: 900, a: 100 } }))).toEqual(['tenant=a'])
  })

  it('is no field that only failing lines log, no effect of the failure, and no id', () => {
    const errors = profile({ reason: { x: 50 }, 'http.status': { 500: 50 }, 'request.id': { r1: 50 } })
    const others = profile({ 'http.status': { 200: 900 }, 'request.id': { r2: 900 } })
    expect(values(errors, others)).toEqual([])
  })

  it('is no field that few of the errors have', () => {
    const errors = profile({ tenant: { a: 40 } }, 200)
    expect(values(errors, profile({ tenant: { b: 1000 } }))).toEqual([])
  })

  it('tells the most telling first', () => {
    const errors = profile({ country: { de: 80, fr: 20 }, tenant: { northwind: 100 } })
    const others = profile({ country: { fr: 700, de: 300 }, tenant: { acme: 1000 } })
    expect(values(errors, others)).toEqual(['tenant=northwind', 'country=de'])
  })
})
