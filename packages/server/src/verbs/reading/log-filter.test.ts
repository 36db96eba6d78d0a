import { printQuery } from '@tidemark/wire/query/print'
import type { FilterInput } from '@tidemark/wire/reading/question'
import { describe, expect, it } from 'vitest'
import { logFilter } from './log-filter.ts'

const printed = (input: FilterInput) => printQuery(logFilter(input).query)

describe('a filter', () => {
  it('is the query and all shorthands together', () => {
    expect(printed({})).toBe('')
    expect(printed({ query: 'a OR b', service: 'api', level: '>=warn', environment: 'x y', traceId: 't' })).toBe(
      '(a OR b) environment:"x y" service:api level:>=warn traceId:t',
    )
  })

  it('takes the text of a shorthand as a value, never as a query', () => {
    expect(printed({ environment: 'a OR b', service: '*' })).toBe('environment:"a OR b" service:"*"')
    for (const level of ['error OR x', 'loud', '', 'error service:x', '(error OR warn)']) {
      expect(() => logFilter({ level }), level).toThrow()
    }
  })

  it('knows which environments of deploys belong to it', () => {
    const { environments } = logFilter({ query: 'timeout -environment:dev', environment: 'prod' })
    expect(['prod', 'dev', 'qa'].filter((name) => environments.matches(name))).toEqual(['prod'])
  })

  it('is refused where it is wrong, with what to do', () => {
    const refusal = (input: FilterInput) => {
      try {
        logFilter(input)
      } catch (error) {
        return error
      }
    }
    expect(refusal({ query: '(a' })).toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'query', message: expect.stringContaining('The opening parenthesis at character 1') }],
    })
    expect(refusal({ query: '/(/' })).toMatchObject({ code: 'invalid_request', fields: [{ path: 'query' }] })
    expect(refusal({ level: 'loud' })).toMatchObject({ code: 'invalid_request', fields: [{ path: 'level' }] })
  })
})
