/** Levels are compared by their numbers; patterns are matched against the six names here, the engine sees numbers. */

import { LEVELS } from '@tidemark/wire/level'
import type { Bound, Match, Span } from '@tidemark/wire/query/ast'
import { levelNamed } from '@tidemark/wire/query/fields'
import { fitsWildcard } from '@tidemark/wire/query/wildcard'
import { AppError } from '../../errors.ts'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { QueryParams } from './params.ts'
import { compileRegex } from './regex.ts'

const COLUMN = 'toInt8(level)'

export function levelCondition(match: Match, span: Span, params: QueryParams): string {
  const number = (value: number) => params.add('Int8', value)
  switch (match.kind) {
    case 'literal':
      return `${COLUMN} = ${number(numberOf(match.value))}`
    case 'compare':
      return `${COLUMN} ${match.comparison} ${number(boundNumber(match.bound))}`
    case 'range': {
      const low = `${COLUMN} ${match.includesLow ? '>=' : '>'} ${number(boundNumber(match.low))}`
      return `(${low} AND ${COLUMN} ${match.includesHigh ? '<=' : '<'} ${number(boundNumber(match.high))})`
    }
    case 'wildcard':
      return oneOf(LEVELS.filter((level) => fitsWildcard(match, level)).map(numberOf), number)
    case 'regex': {
      const regex = compileRegex(match.source, span)
      return oneOf(LEVELS.filter((level) => regex.test(level)).map(numberOf), number)
    }
  }
}

function oneOf(numbers: readonly number[], number: (value: number) => string): string {
  if (numbers.length === 0) return '0'
  return `(${numbers.map((value) => `${COLUMN} = ${number(value)}`).join(' OR ')})`
}

function numberOf(name: string): number {
  const level = levelNamed(name)
  if (level === undefined) throw new AppError('internal', `"${name}" is not a level.`)
  return LEVEL_NUMBER[level]
}

function boundNumber(bound: Bound): number {
  if (bound.kind !== 'level') throw new AppError('internal', 'A level is compared with levels only.')
  return LEVEL_NUMBER[bound.level]
}
