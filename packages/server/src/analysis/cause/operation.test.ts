import type { Field } from '@tidemark/wire/query/fields'
import { describe, expect, it } from 'vitest'
import type { Profile } from '../../model/profile.ts'
import { operationOf } from './operation.ts'

const field = (name: string): Field => (name === 'logger' ? { kind: 'core', name } : { kind: 'attribute', name })

function profile(records: number, fields: Record<string, Record<string, number>>): Profile {
  return {
    records,
    fields: Object.entries(fields).map(([name, values]) => ({
      field: field(name),
      records: Object.values(values).reduce((sum, count) => sum + count, 0),
      values: Object.entries(values).map(([value, count]) => ({ value, count })),
    })),
  }
}

describe('what was being done', () => {
  const others = profile(500, { route: { '/cart': 300, '/pay': 200 }, job: { nightly: 4 }, logger: { app: 500 } })

  it('is what nearly all errors share, the most precise of them', () => {
    const errors = profile(20, { logger: { app: 20 }, route: { '/pay': 20 }, job: { nightly: 20 } })
    expect(operationOf(errors, [others])).toEqual({ field: field('job'), value: 'nightly' })
    expect(operationOf(profile(20, { logger: { app: 20 }, route: { '/pay': 19, '/cart': 1 } }), [others])?.value).toBe(
      '/pay',
    )
    expect(operationOf(profile(20, { logger: { app: 20 } }), [others])?.value).toBe('app')
  })

  it('is unknown when the errors come from many, or when no other record names it', () => {
    expect(operationOf(profile(20, { route: { '/pay': 10, '/cart': 10 } }), [others])).toBeNull()
    expect(operationOf(profile(20, { task: { sync: 20 } }), [others])).toBeNull()
    expect(operationOf(profile(20, { route: { '/pay': 5 } }), [others])).toBeNull()
  })
})
