import { expect, it } from 'vitest'
import { mendsOf, nearestOf } from './mended-query.ts'

const mended = (query: string, term: string, ...suggestions: string[]) => {
  const from = query.indexOf(term)
  return mendsOf(query, { message: '', from, to: from + term.length, suggestions }).map((one) => one.query)
}

it.each([
  ['durtion:>5 timeout', 'durtion:>5', 'duration', 'duration:>5 timeout'],
  ['a -durtion:[1 TO 2]', 'durtion:[1 TO 2]', 'duration', 'a -duration:[1 TO 2]'],
  ['has:durtion', 'has:durtion', 'duration', 'has:duration'],
  ['servce:api', 'servce:api', 'service', 'service:api'],
  ['a or b', 'or', 'OR', 'a OR b'],
])('puts into %s what was meant', (query, term, suggestion, expected) => {
  expect(mended(query, term, suggestion)).toEqual([expected])
})

it('offers each suggestion, and none without a place in the query', () => {
  expect(mended('durtion:5', 'durtion:5', 'duration', 'durations')).toEqual(['duration:5', 'durations:5'])
  expect(mendsOf('a', { message: '', from: 0, to: 0, suggestions: ['b'] })).toEqual([])
  expect(mendsOf('a', { message: '', suggestions: ['b'] })).toEqual([])
  expect(mendsOf(undefined, { message: '', from: 0, to: 1, suggestions: ['b'] })).toEqual([])
})

it('has what there is in place of a term that nothing matches', () => {
  const nearest = [{ from: 5, to: 20, suggestions: ['service:checkout', '('] }]
  expect(nearestOf('cart service:chekout', nearest)).toEqual([
    { suggestion: 'service:checkout', query: 'cart service:checkout' },
  ])
  expect(nearestOf('cart', nearest)).toEqual([])
  expect(nearestOf(undefined, nearest)).toEqual([])
})
