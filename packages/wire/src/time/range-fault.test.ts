import { expect, it } from 'vitest'
import { rangeFault } from './range-fault.ts'

const nowMs = Date.parse('2026-01-31T12:00:00Z')

it.each([
  [
    { from: 'foo', to: undefined },
    { end: 'from', text: 'foo' },
  ],
  [
    { from: '-1h', to: 'bar' },
    { end: 'to', text: 'bar' },
  ],
  [{ from: '-1h', to: '-2h' }, 'reversed'],
  [{ from: '-1h', to: undefined }, undefined],
  [{ from: 'deploy:latest-15m', to: 'deploy:latest+1h' }, undefined],
])('says of the range %j: %j', (range, fault) => {
  expect(rangeFault(range, nowMs)).toEqual(fault)
})
