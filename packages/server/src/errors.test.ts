import { isFinalEnd, isFinalStatus, RETRYABLE_STATUSES } from '@tidemark/wire/retryable'
import { expect, it } from 'vitest'
import { ERROR_CODES } from './errors.ts'

it('has errors that are worth sending again exactly under the statuses that senders send again', () => {
  for (const [code, { status, retryable }] of Object.entries(ERROR_CODES)) {
    expect(RETRYABLE_STATUSES.includes(status), code).toBe(retryable)
  }
})

it('ends a tail for good exactly with the codes after which the same request is refused again', () => {
  for (const [code, { status }] of Object.entries(ERROR_CODES))
    expect(isFinalEnd(code), code).toBe(isFinalStatus(status))
  expect([isFinalEnd('query_too_large'), isFinalEnd('internal'), isFinalEnd('of_a_newer_service')]).toEqual([
    ...[true, false, false],
  ])
})
