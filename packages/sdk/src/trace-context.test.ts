import { describe, expect, it } from 'vitest'
import { formatTraceparent, parseTraceparent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('trace context', () => {
  it('reads a valid header and writes it back', () => {
    const header = `00-${TRACE}-${SPAN}-01`
    const context = parseTraceparent(header)
    expect(context).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true })
    expect(context && formatTraceparent(context)).toBe(header)
  })

  it('takes more fields from a later version only', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-00-more`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: false })
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00-more`)).toBeNull()
  })

  it.each([
    undefined,
    '',
    'garbage',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
  ])('answers null for %j', (header) => {
    expect(parseTraceparent(header)).toBeNull()
  })
})
