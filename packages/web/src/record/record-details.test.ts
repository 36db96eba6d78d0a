import { describe, expect, it } from 'vitest'
import { foldStack, framesOf } from './record-details.tsx'

describe('a stack', () => {
  it('is shown without its first lines where they say exactly what stands above it', () => {
    const frames = '    at pay (/app/src/pay.ts:10:5)'
    expect(framesOf(`TypeError: boom\n${frames}`, 'TypeError: boom')).toBe(frames)
    expect(framesOf(`TypeError: boom\nfor good\n${frames}`, 'TypeError: boom\nfor good')).toBe(frames)
    expect(framesOf(`TypeError: boom at once\n${frames}`, 'TypeError: boom')).toMatch(/^TypeError: boom at once\n/)
    expect(framesOf(`Error: outer\n${frames}`, 'TypeError: boom')).toMatch(/^Error: outer\n/)
    expect(framesOf('TypeError: boom', 'TypeError: boom')).toBe('TypeError: boom')
    expect(framesOf('TypeError: boom\n', 'TypeError: boom')).toBe('TypeError: boom\n')
    expect(framesOf(`\n${frames}`, '')).toBe(`\n${frames}`)
  })

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
