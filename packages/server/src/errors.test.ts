import { RETRYABLE_STATUSES } from '@tidemark/wire/retryable'
import { expect, it } from 'vitest'
import { ERROR_CODES } from './errors.ts'

it('has errors that are worth sending again exactly under the statuses that senders send again', () => {
  for (const [code, { status, retryable }] of Object.entries(ERROR_CODES)) {
    expect(RETRYABLE_STATUSES.includes(status), code).toBe(retryable)
  }
})
