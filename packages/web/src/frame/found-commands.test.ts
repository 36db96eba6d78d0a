import { expect, it } from 'vitest'
import { traceIdIn } from './found-commands.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

it.each([
  [TRACE, TRACE],
  [TRACE.toUpperCase(), TRACE],
  [`00-${TRACE}-b7ad6b7169203331-01`, TRACE],
  ['0af7651', null],
  [`${TRACE}0`, null],
  ['TypeError', null],
])('in %s the trace is %s', (text, id) => expect(traceIdIn(text)).toBe(id))
