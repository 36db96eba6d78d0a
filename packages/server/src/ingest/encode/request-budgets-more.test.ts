/** What one request may become, wherever the values stand that its records share. */
import { describe, expect, it } from 'vitest'
import { refusedSame } from '../testing/both-ways.ts'
import {
  JSON_BODY,
  json,
  MOST_VALUE_BYTES,
  PROTOBUF,
  protobuf,
  REFUSED,
  type Shared,
} from '../testing/sharing-requests.ts'

describe.each([
  ['protobuf', protobuf, PROTOBUF],
  ['JSON', json, JSON_BODY],
] as const)('what the records of OTLP in %s share', (_, write, sent) => {
  it.each([
    ['a resource of errors', (value: string): Shared => ({ resource: value, isError: true })],
    ['a resource with several scopes', (value: string): Shared => ({ resource: value, scopes: 10 })],
    ['a scope', (value: string): Shared => ({ scope: value })],
  ])('refuses the request above a limit: %s', (_name, sharing) => {
    const { code, message } = refusedSame(write(sharing('x'.repeat(MOST_VALUE_BYTES + 1))), sent)
    expect([code, message]).toEqual(['body_too_large', expect.stringMatching(REFUSED)])
  })

  it('is counted where none of them can be taken', () => {
    const { code } = refusedSame(write({ resource: 'x'.repeat(MOST_VALUE_BYTES + 1), time: 1n }), sent)
    expect(code).toBe('body_too_large')
  })
})
