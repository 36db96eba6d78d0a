import { describe, expect, it } from 'vitest'
import { type Group, groupingOf, groupsInputOf, inOrder, measuredOf, narrowedTo } from './grouping.ts'

const FILTER = { query: 'level:error', environment: undefined, from: '-1h', to: undefined }
const WINDOW = { from: '2026-11-15T00:00:00Z', to: '2026-11-15T01:00:00Z' }

describe('the address of groups', () => {
  it('counts by service, stacked, until something else is chosen', () => {
    expect(groupingOf({ view: 'groups' })).toEqual({
      field: 'service',
      measure: 'count',
      of: '',
      chart: 'stacked',
      sort: 'measured',
    })
  })

  it('never stacks percentiles, and takes a measure it does not know for a count', () => {
    expect(groupingOf({ measure: 'p95', of: 'duration' })).toMatchObject({
      measure: 'p95',
      of: 'duration',
      chart: 'lines',
    })
    expect(groupingOf({ measure: 'p42', of: 'duration' })).toMatchObject({ measure: 'count', of: '' })
  })

  it('names a field as queries do', () => {
    expect(groupingOf({ group: 'trace_id' }).field).toBe('traceId')
    expect(groupingOf({ group: '@level' }).field).toBe('@level')
  })
})

describe('what the service is asked', () => {
  it('is the window of the histogram, so that both show the same records', () => {
    expect(groupsInputOf(FILTER, groupingOf({ group: 'host', measure: 'max', of: 'took' }), WINDOW)).toEqual({
      query: 'level:error',
      environment: undefined,
      ...WINDOW,
      groupBy: ['host'],
      bucket: '60',
      limit: 100,
      measure: 'max',
      of: 'took',
    })
  })

  it('is nothing while the window or the measured field is not known, nor for patterns', () => {
    expect(groupsInputOf(FILTER, groupingOf({}), undefined)).toBeUndefined()
    expect(groupsInputOf(FILTER, groupingOf({ measure: 'p95' }), WINDOW)).toBeUndefined()
    expect(groupsInputOf(FILTER, groupingOf({ group: 'pattern' }), WINDOW)).toBeUndefined()
  })
})

describe('the rows', () => {
  const groups: Group[] = [
    { values: ['b10'], count: 1, measured: 9 },
    { values: [null], count: 5, measured: 3 },
    { values: ['b9'], count: 2, measured: null },
  ]
  const names = (sort: Parameters<typeof inOrder>[1]) => inOrder(groups, sort).map(({ values }) => values[0])

  it('come as they were ranked, by records or by name, with those without a value last', () => {
    expect(names('measured')).toEqual(['b10', null, 'b9'])
    expect(names('count')).toEqual([null, 'b9', 'b10'])
    expect(names('value')).toEqual(['b9', 'b10', null])
  })

  it('show what was measured, or how many there are', () => {
    expect(groups.map((group) => measuredOf(group, 'p95'))).toEqual([9, 3, null])
    expect(groups.map((group) => measuredOf(group, 'count'))).toEqual([1, 5, 2])
  })
})

describe('a value that is clicked', () => {
  it('narrows the query to it, or excludes it', () => {
    expect(narrowedTo('level:error', 'service', 'api')).toBe('level:error service:api')
    expect(narrowedTo(undefined, 'user.name', 'a b', true)).toBe('-user.name:"a b"')
  })

  it('may be the lack of one', () => {
    expect(narrowedTo('timeout', 'service', null)).toBe('timeout -has:service')
    expect(narrowedTo('timeout', 'service', null, true)).toBe('timeout has:service')
  })

  it('cannot be asked for where the service knows only its beginning', () => {
    expect(narrowedTo(undefined, 'url', 'x'.repeat(256))).toBeUndefined()
  })
})
