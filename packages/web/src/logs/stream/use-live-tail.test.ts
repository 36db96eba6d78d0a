import type { LogRow } from '@tidemark/wire/reading/row'
import { describe, expect, it } from 'vitest'
import { release, take } from './use-live-tail.ts'

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ kind: 'log', id: `log_${from + index}` }) as LogRow)
const nothing = { rows: [], waiting: [], dropped: 0 }

describe('the live tail', () => {
  it('shows rows as they come', () => {
    expect(take(nothing, rows(2), 0, false)).toEqual({ rows: rows(2), waiting: [], dropped: 0 })
  })

  it('keeps new rows waiting while somebody reads, and shows them when asked', () => {
    const held = take(take(nothing, rows(1), 0, false), rows(2, 1), 0, true)
    expect(held.rows).toEqual(rows(1))
    expect(held.waiting).toHaveLength(2)
    expect(release(held).rows.map(({ id }) => id)).toEqual(['log_1', 'log_2', 'log_0'])
  })

  it('counts what the service could not send and what could not wait', () => {
    const held = take(nothing, rows(5_010), 7, true)
    expect(held.waiting).toHaveLength(5_000)
    expect(held.dropped).toBe(17)
  })
})
