import { expect, it } from 'vitest'
import { isToldByField, mayComeBack, RequestError } from './request.ts'

it('expects only silence and what is marked as passing to go away by itself', () => {
  const statuses = [0, 400, 401, 404, 408, 409, 429, 500, 502, 503, 504]
  expect(statuses.filter((status) => mayComeBack(new RequestError(status, '', '')))).toEqual([
    0, 408, 429, 502, 503, 504,
  ])
  expect(mayComeBack(new Error('not from the service'))).toBe(false)
})

it('is told once where a field says the same', () => {
  const fault = (field: string) =>
    new RequestError(400, 'invalid_request', 'No such host.', [{ path: 'url', message: field }])
  expect([fault('No such host'), fault('No such host.'), fault('is taken')].map(isToldByField)).toEqual([
    true,
    true,
    false,
  ])
  expect(isToldByField(new Error('No such host.'))).toBe(false)
})
