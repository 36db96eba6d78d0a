import { describe, expect, it } from 'vitest'
import { readRules, rulesProblem, writeRules } from './retention-form.ts'

const TEXT = '\nlevel:error,fatal 90\n\n  service:"search api" 7\n'

describe('the rules of a retention in a text area', () => {
  it('are one on each line, blank lines aside', () => {
    const read = readRules(TEXT)
    expect(read).toEqual({
      ok: true,
      rules: [
        { levels: ['error', 'fatal'], service: null, environment: null, days: 90 },
        { levels: null, service: 'search api', environment: null, days: 7 },
      ],
    })
    expect(read.ok && writeRules(read.rules)).toBe('level:error,fatal 90\nservice:"search api" 7')
    expect(readRules(' \n')).toEqual({ ok: true, rules: [] })
  })

  it('name the line that is not understood', () => {
    expect(readRules(`${TEXT}level:loud 3`)).toEqual({
      ok: false,
      message: expect.stringMatching(/^Line 5: "loud" is/),
    })
  })

  it('name the line that the service refuses', () => {
    const field = { path: 'retentionRules.1.days', message: 'must be a whole number from 1 to 3650' }
    expect(rulesProblem(TEXT, [field])).toBe('Line 4: the days must be a whole number from 1 to 3650')
    expect(rulesProblem(TEXT, [{ path: 'retentionRules', message: 'must be at most 20' }])).toBe(
      'The rules must be at most 20',
    )
    expect(rulesProblem(TEXT, [{ path: 'name', message: 'must not be empty' }])).toBeUndefined()
  })
})
