import type { DeployRow, LogRow } from '@tidemark/wire/reading'
import { describe, expect, it } from 'vitest'
import { foldStack } from '../record/record-details.tsx'
import { chipName, chipsOf, lineOf } from '../record/record-fields.ts'
import { mergeRows } from './merge-rows.ts'

const log = (id: string, timestamp: string, change: Partial<LogRow> = {}) =>
  ({ kind: 'log', id, timestamp, message: '', error: null, attributes: {}, ...change }) as LogRow
const deploy = (id: string, timestamp: string) => ({ kind: 'deploy', id, timestamp }) as DeployRow

describe('the stream', () => {
  it('has every row once, newest first, to the microsecond', () => {
    const found = [log('a', '2026-11-15T00:00:00.000002Z'), log('b', '2026-11-15T00:00:00Z')]
    const live = [log('c', '2026-11-15T00:00:00.000010Z'), log('a', '2026-11-15T00:00:00.000002Z')]
    expect(mergeRows(found, live).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })

  it('puts a deploy between the records around it, below those of its very time', () => {
    const rows = [
      log('after', '2026-11-15T00:00:02Z'),
      log('same', '2026-11-15T00:00:01Z'),
      log('before', '2026-11-15T00:00:00Z'),
    ]
    const merged = mergeRows(rows, [deploy('dep', '2026-11-15T00:00:01.000Z')])
    expect(merged.map(({ id }) => id)).toEqual(['after', 'same', 'dep', 'before'])
  })
})

describe('a line', () => {
  it('says the error where the message does not', () => {
    const error = { type: 'TypeError', message: 'x is not a function', stack: '' }
    expect(lineOf(log('a', '', { message: 'checkout failed', error }))).toBe(
      'checkout failed · TypeError: x is not a function',
    )
    expect(lineOf(log('a', '', { message: 'TypeError: x is not a function', error }))).toBe(
      'TypeError: x is not a function',
    )
    expect(lineOf(log('a', '', { error }))).toBe('TypeError: x is not a function')
  })

  it('shows the attributes that say most', () => {
    const attributes = { build: 'x', 'http.status': 500, note: 'y'.repeat(60), 'user.id': 'u1' }
    expect(chipsOf(log('a', '', { attributes }), 3).map(({ field }) => field)).toEqual([
      'http.status',
      'user.id',
      'build',
    ])
  })
})

describe('a stack', () => {
  it('shows the frames of the product and folds those of libraries', () => {
    const stack = [
      'TypeError: boom',
      '    at pay (/app/src/pay.ts:10:5)',
      '    at handle (/app/node_modules/fastify/lib/x.js:1:1)',
      '    at next (/app/node_modules/fastify/lib/y.js:1:1)',
      '    at node:internal/process/task_queues:95:5',
      '    at main (/app/src/main.ts:3:1)',
    ].join('\n')
    expect(foldStack(stack)).toEqual([
      { isLibrary: false, lines: ['TypeError: boom', '    at pay (/app/src/pay.ts:10:5)'] },
      {
        isLibrary: true,
        lines: [
          expect.stringContaining('x.js'),
          expect.stringContaining('y.js'),
          expect.stringContaining('task_queues'),
        ],
      },
      { isLibrary: false, lines: ['    at main (/app/src/main.ts:3:1)'] },
    ])
  })
})

describe('the name on a chip', () => {
  it('is short, and long enough to be told from others', () => {
    expect(['http.response.status', 'user.id', 'app.customer.id', 'duration', 'id'].map(chipName)).toEqual([
      'status',
      'user.id',
      'customer.id',
      'duration',
      'id',
    ])
  })
})
