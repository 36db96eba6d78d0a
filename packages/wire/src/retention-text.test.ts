import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEVELS } from './level.ts'
import { parseRetentionRule, writeRetentionRule } from './retention-text.ts'

const anything = { levels: null, service: null, environment: null }

describe('a rule of a retention as text', () => {
  it.each([
    ['level:error,fatal 90', { ...anything, levels: ['error', 'fatal'], days: 90 }],
    ['level:fatal,error,error 90 days', { ...anything, levels: ['error', 'fatal'], days: 90 }],
    ['  7d environment:staging ', { ...anything, environment: 'staging', days: 7 }],
    ['service:"search api" level:WARNING 1 day', { ...anything, service: 'search api', levels: ['warn'], days: 1 }],
    ['service:"a \\"b\\" \\\\" 3', { ...anything, service: 'a "b" \\', days: 3 }],
    ['service:a,b 3', { ...anything, service: 'a,b', days: 3 }],
    ['5', { ...anything, days: 5 }],
  ])('reads %s', (line, rule) => {
    expect(parseRetentionRule(line)).toEqual({ ok: true, rule })
  })

  it.each([
    ['level:debug', 'The number of days is missing.'],
    ['', 'The number of days is missing.'],
    ['level:loud 3', '"loud" is not a level. There are trace, debug, info, warn, error, fatal.'],
    ['level:debug 3 4', 'The number of days is given twice.'],
    ['level:error level:fatal 90', 'level is given twice'],
    ['service:a service:b 3', 'service is given twice'],
    ['level:debug three', '"three" is not understood.'],
    ['host:a 3', '"host:a 3" is not understood.'],
    ['service:"a 3', '"service:"a 3" is not understood.'],
    ['level: debug 3', '"level: debug 3" is not understood.'],
    ['level:debug -3', '"-3" is not understood.'],
    ['level:debug 3.5', '"3.5" is not understood.'],
  ])('refuses %j with what to mend', (line, message) => {
    expect(parseRetentionRule(line)).toEqual({ ok: false, message: expect.stringContaining(message) })
  })

  it('reads back what it writes', () => {
    const name = fc.option(fc.string({ minLength: 1, unit: 'binary' }))
    const levels = fc.option(fc.subarray([...LEVELS], { minLength: 1 }))
    const rules = fc.record({ levels, service: name, environment: name, days: fc.integer({ min: 1, max: 3_650 }) })
    fc.assert(
      fc.property(rules, (rule) => {
        expect(parseRetentionRule(writeRetentionRule(rule))).toEqual({ ok: true, rule })
      }),
    )
  })
})
