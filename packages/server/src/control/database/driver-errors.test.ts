import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import { postgresError } from './postgres-errors.ts'
import { sqliteError } from './sqlite-errors.ts'

const DRIVER_TEXT = 'relation "api_keys" at 10.0.0.7'

function fromServer(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(DRIVER_TEXT, 1, 'error'), { code })
}

describe('a PostgreSQL error', () => {
  it.each([
    ['23505', 'conflict'],
    ['53100', 'storage_full'],
    ['53300', 'unavailable'],
    ['57P01', 'unavailable'],
    ['57P03', 'unavailable'],
    ['57014', 'unavailable'],
    ['40P01', 'unavailable'],
    ['55P03', 'unavailable'],
    ['08006', 'unavailable'],
    ['58030', 'unavailable'],
    ['28P01', 'unavailable'],
    ['25006', 'unavailable'],
    ['42P01', 'internal'],
  ])('with SQLSTATE %s is %s, and its text stays in the cause', (state, code) => {
    const cause = fromServer(state)
    const error = postgresError(cause)
    expect(error).toMatchObject({ code, cause })
    expect(error.message).not.toContain(DRIVER_TEXT)
  })

  it('that the server did not send is unavailable', () => {
    expect(postgresError(new Error(DRIVER_TEXT))).toMatchObject({ code: 'unavailable' })
    expect(postgresError(Object.assign(new Error(DRIVER_TEXT), { code: 'ECONNRESET' }))).toMatchObject({
      code: 'unavailable',
    })
  })
})

describe('a SQLite error', () => {
  it.each([
    [2067, 'conflict'],
    [1555, 'conflict'],
    [787, 'internal'],
    [13, 'storage_full'],
    [5, 'unavailable'],
    [517, 'unavailable'],
    [10, 'unavailable'],
    [778, 'unavailable'],
    [11, 'unavailable'],
    [1, 'internal'],
  ])('with result code %i is %s, and its text stays in the cause', (rawCode, code) => {
    const cause = Object.assign(new Error(DRIVER_TEXT), { rawCode })
    const error = sqliteError(cause)
    expect(error).toMatchObject({ code, cause })
    expect(error.message).not.toContain(DRIVER_TEXT)
  })

  it('that already is ours passes as it is', () => {
    const error = new AppError('not_found', 'x')
    expect(sqliteError(error)).toBe(error)
    expect(postgresError(error)).toBe(error)
  })
})
