import { expect, it } from 'vitest'
import { isSurelyTrace, traceIdIn } from './trace-id.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

it.each([
  [TRACE, TRACE],
  [TRACE.toUpperCase(), TRACE],
  [`00-${TRACE}-b7ad6b7169203331-01`, TRACE],
  [`00-${TRACE.toUpperCase()}-B7AD6B7169203331-01`, TRACE],
])('in %s the trace is surely %s', (text, id) => {
  expect(traceIdIn(text)).toBe(id)
  expect(isSurelyTrace(id)).toBe(true)
})

it.each([
  ['B3', 'b7ad6b7169203331'],
  ['Datadog', '7277407061855694839'],
  ['X-Ray', '1-58406520-a006649127e371903a2de979'],
  ['a program with UUIDs', '0198C7A4-5E0B-7C3D-9B1A-2F4E6D8C0A1B'],
])('an id of %s may be one, and stays as it is', (_, id) => {
  expect(traceIdIn(id)).toBe(id)
  expect(isSurelyTrace(id)).toBe(false)
})

it.each(['0af7651', `${TRACE}0`, `00-${TRACE}`, `${TRACE}-b7ad6b7169203331-01`, '123456789', 'TypeError', ''])(
  '%s is none',
  (text) => expect(traceIdIn(text)).toBeNull(),
)
