import { expect, it } from 'vitest'
import { formatValues } from './format-values.ts'

it.each([
  [['plain'], 'plain'],
  [['a', 1, { b: [2] }, null, undefined], 'a 1 {"b":[2]} null undefined'],
  [['%s has %d of %o', 'cart', 3, { a: 1 }, 'more'], 'cart has 3 of {"a":1} more'],
  [['%cstyled', 'color: red'], 'styled'],
  [['100%% of %s'], '100% of %s'],
  [[{ a: 1 }, 'b'], '{"a":1} b'],
  [[], ''],
])('writes %j as a console would', (values, text) => {
  expect(formatValues(values)).toBe(text)
})
