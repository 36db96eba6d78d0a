import { describe, expect, it } from 'vitest'
import { analysisSearch, logsSearch, parseSearch, projectSearch, settingsSearch, stringifySearch } from './search.ts'

describe('an address', () => {
  it('holds texts as they were typed, numbers and brackets included', () => {
    const query = 'http.status:>=500 "1" {x} 100% a+b&c'
    expect(parseSearch(stringifySearch({ query, from: '-1h', live: undefined }))).toEqual({ query, from: '-1h' })
  })

  it('with parameters that mean nothing is understood without them', () => {
    expect(projectSearch({ from: '', start: 'yes', other: 'x', environment: 'production' })).toEqual({
      environment: 'production',
    })
    expect(logsSearch({ live: 'on', query: 'a' })).toEqual({ live: 'on', query: 'a' })
    const patterns = { view: 'patterns', compare: 'off', sort: 'newest', pattern: 'pat_1' }
    expect(logsSearch(patterns)).toEqual(patterns)
    const groups = { view: 'groups', group: 'host', measure: 'p95', of: 'took', chart: 'lines', sort: 'count' }
    expect(logsSearch(groups)).toEqual(groups)
    expect(logsSearch({ view: 'stream', chart: 'pie', order: 'newest', bars: 'all', before: 'off' })).toEqual({})
    const stream = { order: 'oldest', bars: 'errors', before: 'on' }
    expect(logsSearch(stream)).toEqual(stream)
    expect(analysisSearch({ chart: 'all' })).toEqual({ chart: 'all' })
    expect(analysisSearch({ chart: 'lines', record: 'log_1' })).toEqual({ record: 'log_1' })
    expect(settingsSearch({ key: 'key_1', call: '', errors: 'all' })).toEqual({ key: 'key_1' })
    expect(settingsSearch({ errors: 'only' })).toEqual({ errors: 'only' })
  })

  it('with names that every object answers to is understood without them', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const raw = parseSearch(`?${name}=x&query=a`)
      expect(Object.getPrototypeOf(raw)).toBe(Object.prototype)
      expect(logsSearch(raw)).toEqual({ query: 'a' })
      expect(stringifySearch(logsSearch(parseSearch(`?query=${name}&columns=${name}`)))).toBe(
        `?query=${name}&columns=${name}`,
      )
    }
  })
})
