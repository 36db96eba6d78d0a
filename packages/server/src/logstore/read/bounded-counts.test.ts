import { expect, test } from 'vitest'
import type { ErrorCount } from '../log-store.ts'
import { BoundedCounts, type ErrorRow } from './bounded-counts.ts'

type Some = { segment?: string; environment?: string; kind?: number; day?: number; errors?: number; first?: number }

/** Ten errors, one a microsecond. */
const row = ({ segment = 's', environment = 'e', kind = 1, day = 1, errors = 10, first = 1_000 }: Some): ErrorRow => [
  segment,
  'prj_1',
  environment,
  String(kind),
  '',
  day,
  0,
  String(errors),
  String(first),
  '7',
  String(first + errors),
]
const fold = (rows: ErrorRow[], limits: { maxKinds?: number; maxCounts?: number }): ErrorCount[] => {
  const counts = new BoundedCounts(limits)
  for (const one of rows) counts.add(one)
  return counts.all()
}
const short = ({ segmentId, environment, fingerprint, count, firstUs, lastUs }: ErrorCount) =>
  [segmentId, environment, fingerprint.slice(-8), count, firstUs, lastUs].join(' ')

test('the rarest kinds of an environment are one count, with the first and the last of them', () => {
  const rows = [
    row({ kind: 1, errors: 9 }),
    row({ kind: 2, errors: 5 }),
    row({ kind: 3, errors: 3, first: 50 }),
    row({ kind: 4, errors: 1, first: 9_000 }),
    row({ kind: 3, environment: 'other', errors: 1 }),
  ]
  expect(fold(rows, { maxKinds: 2 }).map(short)).toEqual([
    's e 00000001 9 1000 1009',
    's e 00000002 5 1000 1005',
    's other 00000003 1 1000 1001',
    's e overflow 4 50 9001',
  ])
})

test('each segment and each day of it overflows by itself', () => {
  const rows = [1, 2].flatMap((day) =>
    ['s', 't'].flatMap((segment) => [1, 2].map((kind) => row({ segment, day, kind }))),
  )
  const counts = fold(rows, { maxKinds: 1 })
  expect(counts.filter(({ fingerprint }) => fingerprint === 'overflow')).toHaveLength(4)
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(80)
})

test('environments that are too many are one count under a name that no record has', () => {
  const rows = Array.from({ length: 50 }, (_, n) => row({ environment: `env ${n}`, errors: 1, first: n + 1 }))
  const counts = fold(rows, { maxCounts: 40 })
  expect(counts).toHaveLength(41)
  expect(counts.slice(40).map(short)).toEqual(['s  overflow 10 41 51'])
})
