import { ClickHouseError } from '@clickhouse/client'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { toAppError } from './driver-errors.ts'

function code(number: string): string {
  return toAppError(new ClickHouseError({ message: 'secret text of a query', code: number, type: 'X' })).code
}

describe('an error of the engine', () => {
  it('becomes ours by its number', () => {
    const expected = {
      241: 'query_too_large',
      158: 'query_too_large',
      396: 'query_too_large',
      159: 'query_timeout',
      394: 'query_timeout',
      427: 'invalid_request',
      53: 'invalid_request',
      457: 'invalid_request',
      243: 'storage_full',
      252: 'unavailable',
      40: 'part_corrupted',
      202: 'query_queue_full',
      279: 'unavailable',
      285: 'unavailable',
      319: 'unavailable',
      369: 'unavailable',
      999: 'unavailable',
      62: 'internal',
      46: 'internal',
      47: 'internal',
    }
    expect(Object.fromEntries(Object.keys(expected).map((number) => [number, code(number)]))).toEqual(expected)
  })

  it('never shows its own text', () => {
    for (const number of ['241', '62', '9999']) {
      const error = toAppError(new ClickHouseError({ message: 'secret text', code: number, type: 'X' }))
      expect(error.message).not.toContain('secret')
      expect(String(error.cause)).toContain('secret text')
    }
  })

  it('is a restart when the connection fails, whatever the reason', () => {
    for (const reason of ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']) {
      const error = toAppError(Object.assign(new Error('connect'), { code: reason }))
      expect(error).toMatchObject({ code: 'engine_restarting', retryAfterSeconds: 2 })
    }
    expect(toAppError(new Error('Timeout error.')).code).toBe('engine_restarting')
  })

  it('is our fault when it is a mistake in the code', () => {
    expect(toAppError(new TypeError('x is not a function')).code).toBe('internal')
  })

  it('stays what it is when it is ours already', () => {
    const error = new AppError('not_found', 'There is none.')
    expect(toAppError(error)).toBe(error)
  })
})
