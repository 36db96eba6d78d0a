import type { LogRow } from '@tidemark/wire/reading/row'
import { describe, expect, it } from 'vitest'
import { whatDiffers } from './what-differs.ts'

function row(attributes: Record<string, unknown>, own: Partial<LogRow> = {}): LogRow {
  return { traceId: '', host: 'a', release: 'r1', message: 'checkout failed', ...own, attributes } as LogRow
}

describe('samples that read alike', () => {
  it('are told apart by route, user and trace first, and by nothing that they share', () => {
    const rows = [
      row({ attempt: 1, 'http.route': '/cart', 'user.id': 'u1', method: 'POST' }, { traceId: 't1' }),
      row({ attempt: 2, 'http.route': '/pay', 'user.id': 'u2', method: 'POST' }, { traceId: 't2', host: 'b' }),
    ]
    expect(whatDiffers(rows)).toEqual([
      [
        { field: 'http.route', value: '/cart' },
        { field: 'user.id', value: 'u1' },
        { field: 'traceId', value: 't1' },
      ],
      [
        { field: 'http.route', value: '/pay' },
        { field: 'user.id', value: 'u2' },
        { field: 'traceId', value: 't2' },
      ],
    ])
  })

  it('have a value once that is sent under two names, and what else tells them apart instead', () => {
    const rows = ['u1', 'u2'].map((user, at) => row({ 'user.id': user, 'customer.id': user, attempt: at }))
    const named = rows.map((_, at) => whatDiffers(rows)[at]?.map(({ field }) => field))
    expect(named).toEqual([
      ['user.id', 'attempt'],
      ['user.id', 'attempt'],
    ])
    const apart = [row({ 'user.id': 'u1', 'customer.id': 'u1' }), row({ 'user.id': 'u2', 'customer.id': 'c2' })]
    expect(whatDiffers(apart)[0]).toHaveLength(2)
  })

  it('have a value that only one of them has, and nothing where they are the same', () => {
    expect(whatDiffers([row({ order: 7 }), row({})])).toEqual([[{ field: 'order', value: '7' }], []])
    expect(whatDiffers([row({ order: 7 }), row({ order: 7 })])).toEqual([[], []])
    expect(whatDiffers([row({ order: 7 })])).toEqual([[]])
  })
})
