import { expect, it } from 'vitest'
import { chosenWidth, resized } from './column-widths.ts'

it('keeps a width within what can be read', () => {
  expect(resized({}, 'a', 20)).toEqual({ a: 20 })
  expect(resized({ a: 20 }, 'a', 1)).toEqual({ a: 4 })
  expect(resized({ a: 20 }, 'a', 9_999)).toEqual({ a: 120 })
  expect(resized({ a: 20, b: 5 }, 'a', undefined)).toEqual({ b: 5 })
})

it('forgets the widths that were changed longest ago', () => {
  let widths = {}
  for (let at = 0; at < 60; at++) widths = resized(widths, `c${at}`, 10)
  expect(Object.keys(widths)).toHaveLength(50)
  expect(widths).not.toHaveProperty('c0')
  expect(widths).toHaveProperty('c59')
})

it('takes nothing for a width that is none', () => {
  const kept = { a: 'wide', b: Number.NaN, c: 3, d: 500 } as unknown as Record<string, number>
  expect(['a', 'b', 'c', 'd', 'constructor'].map((name) => chosenWidth(kept, name))).toEqual([
    undefined,
    undefined,
    undefined,
    120,
    undefined,
  ])
})
