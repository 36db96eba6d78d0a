import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withinTime, withoutEnd } from './request-time.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What is told about a request after half a minute. */
function afterHalfAMinute(headers: Record<string, string>, then: (request: IncomingMessage) => void = () => {}) {
  const request = Object.assign(new EventEmitter(), { headers, complete: false, socket: {} })
  const late: (string | undefined)[] = []
  const listen = withinTime(then, (error) => late.push(error.code))
  listen(
    request as unknown as IncomingMessage & { req: IncomingMessage },
    {} as ServerResponse & { req: IncomingMessage },
  )
  vi.advanceTimersByTime(29_999)
  expect(late).toEqual([])
  vi.advanceTimersByTime(1)
  return late
}

describe('a request', () => {
  it.each([{ 'content-length': '5' }, { 'transfer-encoding': 'chunked' }])(
    'has half a minute to arrive with %j',
    (headers) => {
      expect(afterHalfAMinute(headers)).toEqual(['ERR_HTTP_REQUEST_TIMEOUT'])
    },
  )

  it.each<[string, Record<string, string>, (request: IncomingMessage) => void]>([
    ['has no body', {}, () => {}],
    ['has come to its end', { 'content-length': '5' }, (request) => request.emit('end')],
    [
      'has come and was not read',
      { 'content-length': '5' },
      (request) => void Object.assign(request, { complete: true }),
    ],
    ['is a body without end', { 'transfer-encoding': 'chunked' }, withoutEnd],
  ])('is left alone when it %s', (_, headers, then) => {
    expect(afterHalfAMinute(headers, then)).toEqual([])
  })
})
