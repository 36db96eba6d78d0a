import type { LogPattern } from '@tidemark/wire/reading/patterns'
import { describe, expect, it } from 'vitest'
import { patternLines } from './patterns.ts'

const pattern = (change: Partial<LogPattern>): LogPattern => ({
  ...{ id: 'pat_1', pattern: 'order <*> shipped', count: 1_204, share: 0.8, state: null, baseCount: null },
  ...{ firstSeen: '', lastSeen: '', trend: [], levels: [], services: [], query: null, queryCount: 0 },
  ...{ sampleId: null, sample: null },
  ...change,
})

describe('the table of patterns', () => {
  it('has count, share and pattern', () => {
    const patterns = [pattern({}), pattern({ count: 3, share: 0.0021, pattern: 'cart <*> is empty' })]
    expect(patternLines({ patterns, baseWindow: null })).toEqual([
      'COUNT  SHARE  PATTERN',
      ' 1204   80 %  order <*> shipped',
      '    3  0.2 %  cart <*> is empty',
    ])
  })

  it('has what became of each where they are compared', () => {
    const patterns = [
      pattern({ count: 9, share: 1, baseCount: 0, state: 'new' }),
      pattern({ count: 0, share: 0, baseCount: 70, state: 'gone', pattern: 'cart <*> is empty' }),
    ]
    expect(patternLines({ patterns, baseWindow: { from: '', to: '' } })).toEqual([
      'COUNT  SHARE  BEFORE  STATE  PATTERN',
      '    9  100 %       0  new    order <*> shipped',
      '    0    0 %      70  gone   cart <*> is empty',
    ])
  })

  it('is not driven by a pattern', () => {
    const [, line] = patternLines({ patterns: [pattern({ pattern: '\u001b[31mred\nline' })], baseWindow: null })
    expect(line).toMatch(/^ 1204 {3}80 % {2}[^\u001b\n]*red ⏎ line$/)
  })

  it('is nothing where there is no pattern', () => {
    expect(patternLines({ patterns: [], baseWindow: null })).toEqual([])
  })
})
