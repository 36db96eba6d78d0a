import { completeAt } from '@tidemark/wire/query/complete'
import { describe, expect, it } from 'vitest'
import { chosenFields, queryAround } from './rest-of-query.ts'

describe('the fields that a query names', () => {
  it('have the values chosen, and the query without them', () => {
    expect(chosenFields('timeout service:(api OR web) level:error')).toEqual([
      { name: 'service', values: ['api', 'web'], rest: 'timeout level:error' },
      { name: 'level', values: ['error'], rest: 'timeout service:(api OR web)' },
    ])
  })

  it('choose nothing when they exclude or compare', () => {
    expect(chosenFields('-service:api http.status:>=500')).toEqual([
      { name: 'service', values: [], rest: 'http.status:>=500' },
      { name: 'http.status', values: [], rest: '-service:api' },
    ])
  })

  it('are none in words, in what mixes fields, and in what cannot be read', () => {
    for (const query of [undefined, 'timeout', '(service:api OR host:a)', 'service:(']) {
      expect(chosenFields(query), query).toEqual([])
    }
    expect(chosenFields('service:api')).toEqual([{ name: 'service', values: ['api'], rest: undefined }])
  })
})

describe('what is around a value that is being typed', () => {
  const around = (marked: string) => {
    const at = marked.indexOf('|')
    const text = marked.replace('|', '')
    return queryAround(text, completeAt(text, at))
  }

  it.each([
    ['level:error service:ch|', 'level:error'],
    ['service:ch| level:error', 'level:error'],
    ['timeout -host:| level:error', 'timeout level:error'],
    ['level:error service:"check o|', 'level:error'],
    ['service:|', undefined],
    ['service:(api OR |', undefined],
  ])('of %s is %s', (text, rest) => {
    expect(around(text)).toBe(rest)
  })
})
