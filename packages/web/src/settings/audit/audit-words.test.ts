import { describe, expect, it } from 'vitest'
import { actionWords, readDetails } from './audit-words.ts'

describe('an entry of the audit', () => {
  it('says what was done in words, and an action it does not know as it is', () => {
    expect([actionWords('key.created'), actionWords('moon.landed')]).toEqual(['Key created', 'moon.landed'])
  })

  it('gives its details as names and values, without those that have none', () => {
    expect(
      readDetails({ keyId: 'key_1', kind: 'read', expiresAt: null, records: 12, redaction: { fields: ['a'] } }),
    ).toEqual([
      { name: 'key id', value: 'key_1' },
      { name: 'kind', value: 'read' },
      { name: 'records', value: '12' },
      { name: 'redaction', value: '{"fields":["a"]}' },
    ])
  })
})
