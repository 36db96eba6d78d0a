import { describe, expect, it } from 'vitest'
import { actionWords, readDetails } from './audit-words.ts'

describe('an entry of the audit', () => {
  it('says what was done in words, and an action it does not know as it is', () => {
    expect([actionWords('key.created'), actionWords('moon.landed')]).toEqual(['Key created', 'moon.landed'])
  })

  it('gives its details as names and values, without those that have none, ids last', () => {
    const details = { keyId: 'key_1', kind: 'read', expiresAt: null, isOn: false, redaction: { fields: ['a'] } }
    expect(readDetails(details)).toEqual([
      { name: 'kind', value: 'read', isId: false },
      { name: 'is on', value: 'no', isId: false },
      { name: 'redaction', value: '{"fields":["a"]}', isId: false },
      { name: 'key id', value: 'key_1', isId: true },
    ])
  })
})
