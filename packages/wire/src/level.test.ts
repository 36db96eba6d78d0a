import { expect, it } from 'vitest'
import { AT_LEAST_ERROR, ERROR_LEVELS, isErrorLevel, LEVELS } from './level.ts'
import { parseQuery } from './query/parse.ts'

it('counts error and fatal as errors, and no other word for a level', () => {
  expect(LEVELS.filter(isErrorLevel)).toEqual(['error', 'fatal'])
  expect(['', 'ERROR', 'critical', 'constructor'].filter(isErrorLevel)).toEqual([])
})

it('asks for the same levels in a query', () => {
  const bound = { kind: 'level', level: ERROR_LEVELS[0] }
  const root = { kind: 'field', match: { kind: 'compare', comparison: '>=', bound } }
  expect(parseQuery(`level:${AT_LEAST_ERROR}`)).toMatchObject({ ok: true, query: { root } })
  expect(LEVELS.slice(LEVELS.indexOf(ERROR_LEVELS[0]!))).toEqual(ERROR_LEVELS)
})
