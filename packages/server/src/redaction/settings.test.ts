import { describe, expect, it } from 'vitest'
import { thrownBy } from '../testing/thrown-by.ts'
import { redactSample } from './redact.ts'
import { checkRedaction } from './settings.ts'

const rules = (...patterns: string[]) => ({
  disabled: [],
  rules: patterns.map((pattern, index) => ({ name: `rule-${index}`, pattern })),
  fields: [],
})

describe('the check of new settings', () => {
  it('says where a pattern is wrong', () => {
    const error = thrownBy(() =>
      checkRedaction({ disabled: [], rules: [{ name: 'a', pattern: 'abc[z-a]' }], fields: [] }),
    )
    expect(error.status).toBe(400)
    expect(error.fields[0]?.path).toBe('rules.0.pattern')
    expect(error.fields[0]?.message).toMatchInlineSnapshot(
      `"Rule "a": invalid character class range at character 5: z-a. Patterns use RE2 syntax, without lookaround and back references."`,
    )
  })

  it('names every mistake at once', () => {
    const error = thrownBy(() =>
      checkRedaction({
        disabled: ['nonsense'],
        rules: [
          { name: 'Bad Name', pattern: 'x' },
          { name: 'jwt', pattern: 'x' },
          { name: 'empty', pattern: 'x*' },
          { name: 'look', pattern: '(?=x)' },
          { name: 'long', pattern: 'x'.repeat(1_001) },
          { name: 'huge', pattern: '((a{100}){100}){100}' },
        ],
        fields: [''],
      }),
    )
    expect(error.fields.map((field) => field.path)).toEqual([
      'disabled.0',
      'fields.0',
      'rules.0.name',
      'rules.1.name',
      'rules.2.pattern',
      'rules.3.pattern',
      'rules.4.pattern',
      'rules.5.pattern',
    ])
  })

  it('refuses a rule whose compiled program is too large', () => {
    checkRedaction(rules('x{1,499}[yz]'))
    const error = thrownBy(() => checkRedaction(rules('x', 'x{1,999}[yz]')))
    expect(error.fields).toMatchInlineSnapshot(`
      [
        {
          "message": "Rule "rule-1": The pattern compiles to 2,000 instructions, and at most 1,000 are allowed. Use a smaller repeat count.",
          "path": "rules.1.pattern",
        },
      ]
    `)
  })

  it('refuses rules that are too large together', () => {
    checkRedaction(rules(...Array.from({ length: 5 }, () => 'x{1,499}[yz]')))
    const error = thrownBy(() => checkRedaction(rules(...Array.from({ length: 6 }, () => 'x{1,499}[yz]'))))
    expect(error.fields).toMatchInlineSnapshot(`
      [
        {
          "message": "The patterns compile to 6,000 instructions together, and at most 5,000 are allowed. Use smaller repeat counts or fewer rules.",
          "path": "rules",
        },
      ]
    `)
  })

  it('takes the rules that people write, all fifty of them', () => {
    const lists = Array.from({ length: 2 }, () => `(?i)\\b(${'catherine|benjamin|'.repeat(40)}anna)\\b`)
    const patterns = Array.from({ length: 48 }, () => '\\b[A-Z]{2}\\d{2}[A-Z0-9]{11,30}\\b')
    checkRedaction(rules(...lists, ...patterns))
  })
})

describe('stored rules', () => {
  it('apply although they are beyond a limit that was set later', () => {
    expect(redactSample(rules('x{1,999}[yz]'), 'an xxy').text).toBe('an [REDACTED:rule-0]')
  })

  it('let nothing through when they do not compile', () => {
    expect(thrownBy(() => redactSample(rules('(?=x)'), 'x'))).toMatchObject({
      status: 503,
      message: expect.stringContaining('rule "rule-0"'),
    })
  })
})
