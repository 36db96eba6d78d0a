import { describe, expect, it } from 'vitest'
import { actionWords, readDetails, whoWords } from './audit-words.ts'

describe('an entry of the audit', () => {
  it('says what was done in words, and an action it does not know as it is', () => {
    expect([actionWords('key.created'), actionWords('moon.landed')]).toEqual(['Key created', 'moon.landed'])
  })

  it('gives its details as names and values, without those that have none, ids last', () => {
    const details = { keyId: 'key_1', kind: 'read', ref: null, isOn: false, redaction: { fields: ['a'] } }
    expect(readDetails(details)).toEqual([
      { name: 'kind', value: 'read', kind: 'text' },
      { name: 'is on', value: 'no', kind: 'text' },
      { name: 'redaction', value: '{"fields":["a"]}', kind: 'text' },
      { name: 'key id', value: 'key_1', kind: 'id' },
    ])
  })

  it('says words of ours as words, and leaves a name as it was given', () => {
    const [reasons, name] = readDetails({ reasons: 'new_analysis, spiking_analysis', name: 'night_shift' })
    expect([reasons?.value, name?.value]).toEqual(['new analysis, spiking analysis', 'night_shift'])
  })

  it('tells a moment from a text, to show it in the zone of the reader', () => {
    const [until, like] = readDetails({ expiresAt: '2026-12-17T19:48:13.312Z', name: '2026-12-17' })
    expect([until?.kind, like?.kind]).toEqual(['time', 'text'])
  })

  it('leaves the texts of others as they were written, whatever they look like', () => {
    const texts = { title: '2026-12-17T19:48:13Z', name: '2026-99-99T99:99Z', expiresAt: '2026-99-99T99:99Z' }
    expect(readDetails(texts).map(({ kind }) => kind)).toEqual(['text', 'text', 'text'])
  })
})

it('names the person, and says where the operator acts', () => {
  expect(whoWords({ by: 'per_1', byName: 'Ada' })).toBe('Ada')
  expect(whoWords({ by: 'operator', byName: null })).toBe('Operator (command line)')
  expect(whoWords({ by: 'key_1', byName: null })).toBe('key_1')
})
