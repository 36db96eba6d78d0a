import { describe, expect, it } from 'vitest'
import { foldStack } from './record-details.tsx'

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
