import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeAt } from './complete.ts'
import { isHalfTyped, suggest, withSuggestion } from './suggest.ts'

/** The bar is the cursor. */
function at(text: string) {
  const cursor = text.indexOf('|')
  return completeAt(text.replace('|', ''), cursor)
}

describe('what is being typed', () => {
  it.each([
    ['|', { kind: 'field', prefix: '', from: 0, to: 0 }],
    ['ser|', { kind: 'field', prefix: 'ser', from: 0, to: 3 }],
    ['a ser|vice:web', { kind: 'field', prefix: 'ser', from: 2, to: 10 }],
    ['a |b', { kind: 'field', prefix: '', from: 2, to: 2 }],
    ['-ser|', { kind: 'field', prefix: 'ser', from: 1, to: 4 }],
    ['(a OR ho|', { kind: 'field', prefix: 'ho', from: 6, to: 8 }],
    ['a O|', { kind: 'keyword', prefix: 'O', from: 2, to: 3 }],
    ['service:|', { kind: 'value', field: 'service', prefix: '', from: 8, to: 8 }],
    ['env:|', { kind: 'value', field: 'environment', prefix: '', from: 4, to: 4 }],
    ['service:w|eb x', { kind: 'value', field: 'service', prefix: 'w', from: 8, to: 11 }],
    ['service:(api OR w|)', { kind: 'value', field: 'service', prefix: 'w', from: 16, to: 17 }],
    ['service:(api |', { kind: 'value', field: 'service', prefix: '', from: 13, to: 13 }],
    ['service:(api) |', { kind: 'field', prefix: '', from: 14, to: 14 }],
    ['service:(api)|', { kind: 'field', prefix: '', from: 13, to: 13 }],
    ['service:web |', { kind: 'field', prefix: '', from: 12, to: 12 }],
    ['@level:|', { kind: 'value', field: '@level', prefix: '', from: 7, to: 7 }],
    ['service:"my s|ervice" x', { kind: 'value', field: 'service', prefix: 'my s', from: 8, to: 20, isQuoted: true }],
    ['"some tex|', { kind: 'value', prefix: 'some tex', from: 0, to: 9, isQuoted: true }],
    ['http.status:>|', { kind: 'operator', field: 'http.status', prefix: '>', from: 12, to: 13 }],
    ['level:>=w|', { kind: 'value', field: 'level', prefix: 'w', from: 8, to: 9 }],
    ['has:us|', { kind: 'field', field: 'has', prefix: 'us', from: 4, to: 6 }],
    ['status:[100 T|', { kind: 'field', prefix: 'T', from: 12, to: 13 }],
  ])('at %s', (text, expected) => {
    expect(at(text)).toEqual(expected)
  })

  it('lies within the text, around the cursor, whatever the text', () => {
    const piece = fc.constantFrom('a', 'level:', '(', ')', '"', '\\', '[', '>=', ' ', ':', '/', '-', 'OR', '@', 'has:')
    const typed = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 8 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(typed, fc.nat(30), (text, cursor) => {
        const { from, to } = completeAt(text, cursor)
        const inside = Math.min(cursor, text.length)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(from).toBeLessThanOrEqual(inside)
        expect(to).toBeGreaterThanOrEqual(inside)
        expect(to).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('suggestions', () => {
  const fields = [
    { name: 'http.status', count: 900, isNumeric: true },
    { name: 'status_text', count: 10 },
    { name: 'user.id', count: 5 },
    { name: 'odd name' },
    { name: 'level' },
  ]
  const texts = (text: string, values: { value: string; count?: number }[] = []) =>
    suggest(at(text), { fields, values }).map((suggestion) => suggestion.text)

  it('rank names that begin with what was typed before those that contain it', () => {
    expect(texts('stat|')).toEqual(['status_text:', 'http.status:'])
    expect(texts('ser|')[0]).toBe('service:')
    expect(texts('odd|')).toEqual(['"odd name":'])
  })

  it('find a name with a slip of the finger', () => {
    expect(texts('http.statsu|')).toEqual(['http.status:'])
    expect(texts('zzzzzz|')).toEqual([])
  })

  it('name fields without a colon after has:', () => {
    expect(texts('has:user|')).toEqual(['user.id'])
  })

  it('offer keywords where one begins', () => {
    expect(texts('a O|')[0]).toBe('OR ')
  })

  it('offer values, most frequent first, quoted where they must be', () => {
    const values = [
      { value: 'web', count: 3 },
      { value: 'web admin', count: 7 },
      { value: 'api', count: 9 },
    ]
    expect(texts('service:|', values)).toEqual(['api', '"web admin"', 'web'])
    expect(texts('service:we|', values)).toEqual(['"web admin"', 'web'])
    expect(texts('service:"we|', values)).toEqual(['"web admin"', '"web"'])
  })

  it('offer levels and comparisons', () => {
    expect(texts('level:w|')).toEqual(['warn'])
    expect(texts('level:|')).toEqual(['fatal', 'error', 'warn', 'info', 'debug', 'trace', '>=', '>', '<=', '<'])
    expect(texts('level:>=e|')[0]).toBe('error')
    expect(texts('http.status:>|')).toEqual(['>=', '>'])
    expect(texts('http.status:|')).toEqual(['>=', '>', '<=', '<'])
  })

  it('are limited', () => {
    expect(suggest(at('|'), { fields, limit: 3 })).toHaveLength(3)
  })
})

describe('Enter on a word', () => {
  const vocabulary = {
    fields: [{ name: 'customer.id', count: 9 }],
    values: [
      { value: 'checkout', count: 5 },
      { value: 'web-1', count: 3 },
      { value: 'cust_4145', count: 1 },
    ],
  }
  const completes = (text: string) => isHalfTyped(at(text), suggest(at(text), vocabulary)[0])

  it.each(['lev|', 'a -serv|', 'ERR|', 'has:custo|', 'service:che|', 'service:(web OR che|)', 'level:err|'])(
    'completes %s, which stops in the middle of a name or value',
    (text) => expect(completes(text)).toBe(true),
  )

  it.each(['error|', 'trace|', 'level|', 'le|', 'custo|', 'timeout|', 'service:web|', 'user:cust_41|', '"lev|'])(
    'runs %s, which may be meant as it is',
    (text) => expect(completes(text)).toBe(false),
  )
})

describe('an accepted suggestion', () => {
  it.each([
    ['lev|', 'level:', 'level:|'],
    ['lev| timeout', 'level:', 'level:| timeout'],
    ['service:w|', 'web', 'service:web |'],
    ['service:w| timeout', 'web', 'service:web |timeout'],
    ['service:(api OR w|)', 'web', 'service:(api OR web|)'],
    ['a O| b', 'OR ', 'a OR |b'],
  ])('turns %s into one space between terms', (typed, suggestion, expected) => {
    const { text, cursor } = withSuggestion(typed.replace('|', ''), at(typed), suggestion)
    expect(`${text.slice(0, cursor)}|${text.slice(cursor)}`).toBe(expected)
  })
})
