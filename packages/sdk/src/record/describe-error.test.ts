import { describe, expect, it } from 'vitest'
import { HOSTILE_VALUES } from '../testing/hostile-values.ts'
import { describeError } from './describe-error.ts'

class PaymentError extends Error {}

/** The texts without the places, which differ between machines. */
const headlines = (stack: string) => stack.split('\n').filter((line) => !/^\s+at /.test(line))

describe('an error', () => {
  it('is named by its class, and its stack begins with that name', () => {
    const { type, message, stack } = describeError(new PaymentError('card refused'))
    expect([type, message]).toEqual(['PaymentError', 'card refused'])
    expect(stack).toMatch(/^PaymentError: card refused\n {4}at .*describe-error\.test\.ts:\d+:\d+/)
  })

  it('keeps a name that it gave itself, and not a minified class', () => {
    const t = class extends Error {}
    Object.defineProperty(t, 'name', { value: 't' })
    expect(describeError(Object.assign(new Error('x'), { name: 'AbortError' })).type).toBe('AbortError')
    expect(describeError(new t('x')).type).toBe('Error')
  })

  it('holds its causes with their frames in one stack', () => {
    const root = Object.assign(new TypeError('no socket'), { code: 'ECONNREFUSED' })
    const error = new PaymentError('card refused', { cause: new Error('gateway', { cause: root }) })
    const { stack } = describeError(error)
    expect(headlines(stack)).toEqual([
      'PaymentError: card refused',
      '  [cause]: Error: gateway',
      '  [cause]: TypeError: no socket',
    ])
    expect(stack.match(/describe-error\.test\.ts/g)?.length).toBe(3)
  })

  it('keeps a property of any name, also one that objects have of their own', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const error = Object.defineProperty(new Error('x'), name, { value: { a: 1 }, enumerable: true })
      expect(JSON.stringify(describeError(error).details)).toContain(`"${name}":{"a":1}`)
    }
  })

  it('keeps its own properties and those of its cause', () => {
    const cause = Object.assign(new Error('inner'), { code: 'E2' })
    const error = Object.assign(new Error('outer', { cause }), { code: 'E1', status: 503, type: 'entity.too.large' })
    expect(describeError(error).details).toEqual({
      code: 'E1',
      status: 503,
      'properties.type': 'entity.too.large',
      cause: { code: 'E2' },
    })
  })

  it('that is an aggregate holds one of each kind, and the headlines of all', () => {
    const make = (at: number) => new RangeError(`part ${at}`)
    const error = new AggregateError([...[1, 2, 3].map(make), new TypeError('other')], 'all failed')
    const { stack, details } = describeError(error)
    expect(headlines(stack)).toEqual([
      'AggregateError: all failed',
      '  [cause]: RangeError: part 1',
      '  [cause]: TypeError: other',
    ])
    expect(details?.errors).toEqual([
      'RangeError: part 1',
      'RangeError: part 2',
      'RangeError: part 3',
      'TypeError: other',
    ])
  })

  it('of another engine gets the headline that its stack lacks', () => {
    const stack = 'pay@https://shop.example/app.js:12:5\n@https://shop.example/app.js:40:1'
    const error = Object.assign(new TypeError('x is undefined'), { stack })
    expect(describeError(error).stack).toBe(`TypeError: x is undefined\n${stack}`)
  })

  it('whose message changed later says the later one', () => {
    const error = new Error('first')
    error.message = 'second'
    expect(describeError(error).stack).toMatch(/^Error: second\n {4}at /)
  })

  it('with a message that looks like frames keeps them apart', () => {
    const { stack } = describeError(new Error('bad input:\n    at line 3 (of file:1:1)'))
    expect(stack.split('\n').slice(0, 2)).toEqual(['Error: bad input:', '    at line 3 (of file:1:1)'])
    expect(stack.match(/at line 3/g)).toHaveLength(1)
  })
})

describe('what is no error', () => {
  it.each([
    ['just text', 'just text'],
    [42, '42'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{ message: 'like an error' }, 'like an error'],
    [{ code: 7 }, 'An object that is not an error was thrown'],
  ])('is told in words: %j', (thrown, message) => {
    expect(describeError(thrown)).toEqual({ type: '', message, stack: '' })
  })

  it.each(HOSTILE_VALUES)('never makes it throw: $name', ({ make }) => {
    const { type, message, stack } = describeError(make())
    expect([typeof type, typeof message, typeof stack]).toEqual(['string', 'string', 'string'])
    expect(message.length + stack.length).toBeLessThan(60_000)
  })
})
