import { expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { checkedGivenName } from './given-name.ts'

const problemOf = (name: string) => {
  try {
    return checkedGivenName(name, 'The name')
  } catch (error) {
    return error instanceof AppError ? error.message : error
  }
}

it('keeps a name trimmed and composed, as it is typed on every keyboard', () => {
  expect(problemOf(' Ada ')).toBe('Ada')
  expect(problemOf('Zoe\u0308')).toBe('Zo\u00eb')
  expect(problemOf('🦀'.repeat(100))).toBe('🦀'.repeat(100))
})

it.each([
  [' ', 'The name must not be empty.'],
  ['x'.repeat(101), 'The name must have at most 100 characters.'],
  ['a\u0000b', 'The name must not contain control or invisible characters.'],
  ['a\u200bb', 'The name must not contain control or invisible characters.'],
])('says what is wrong with %j', (name, problem) => expect(problemOf(name)).toBe(problem))
