import { expect, it } from 'vitest'
import { judge, type Outcome } from './answer.ts'

const reason = expect.any(String)

/** That it means so at the end of the program too is told by the end-to-end tests. */
it.each<[number, unknown, Outcome]>([
  [200, { accepted: 1, rejected: [] }, { kind: 'accepted', rejected: [] }],
  [
    200,
    { accepted: 0, rejected: [{ index: 0, reason: 'r' }] },
    { kind: 'accepted', rejected: [{ index: 0, reason: 'r' }] },
  ],
  [202, { accepted: 1 }, { kind: 'accepted', rejected: [] }],
  [202, undefined, { kind: 'later', afterMs: null, reason }],
  [204, undefined, { kind: 'later', afterMs: null, reason }],
  [409, { error: { code: 'batch_changed' } }, { kind: 'rename', reason }],
  [409, { of: 'batch_changed' }, { kind: 'refused', code: 'not_accepted', reason }],
  [413, undefined, { kind: 'split', reason }],
  [429, undefined, { kind: 'later', afterMs: 2_000, reason }],
  [500, undefined, { kind: 'refused', code: 'not_accepted', reason }],
])('an answer of %i with %j is understood', (status, body, outcome) => {
  const answer = { status, retryAfter: '2', location: null, body: JSON.stringify(body) ?? '' }
  expect(judge(answer, 'http://localhost', 0)).toEqual(outcome)
})
