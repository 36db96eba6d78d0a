import { describe, expect, it } from 'vitest'
import { HOSTILE_VALUES } from '../testing/hostile-values.ts'
import { MAX_ATTRIBUTES, ValueEncoder } from './encode-value.ts'

const plain = (value: unknown) => JSON.parse(new ValueEncoder().value(value) ?? '"nothing"')

describe('a value', () => {
  const day = new Date('2026-01-02T03:04:05.678Z')
  const own = {
    toJSON() {
      return this
    },
    id: 7,
  }
  it.each<[string, unknown, unknown]>([
    ['text', 'ü 👩‍👩‍👧 "quoted"\n', 'ü 👩‍👩‍👧 "quoted"\n'],
    ['numbers', [1, -0.5, Number.NaN, Number.POSITIVE_INFINITY], [1, -0.5, 'NaN', 'Infinity']],
    ['big integers', 12345678901234567890n, '12345678901234567890'],
    ['a bigger integer than anybody wants to read', 1n << 100_000n, '[bigint]'],
    ['a symbol', Symbol('mark'), 'Symbol(mark)'],
    ['a function', function pay() {}, '[function pay]'],
    ['dates', [day, new Date('no')], ['2026-01-02T03:04:05.678Z', 'Invalid Date']],
    ['undefined in lists and objects', { a: undefined, b: [undefined] }, { b: [null] }],
    ['maps and sets', { map: new Map([['a', 1]]), set: new Set([1, 2]) }, { map: { a: 1 }, set: [1, 2] }],
    ['bytes', Buffer.from('abc'), '[Buffer of 3 bytes]'],
    ['addresses and patterns', [new URL('https://a.example/b'), /x/g], ['https://a.example/b', '/x/g']],
    ['boxed values', [Object('a'), Object(1)], ['a', 1]],
    ['a promise', Promise.resolve(1), '[Promise]'],
    ['its own form', { toJSON: () => ({ id: 7 }) }, { id: 7 }],
    ['itself as its own form', own, { toJSON: '[function toJSON]', id: 7 }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['an element of a page', { nodeType: 1, nodeName: 'DIV', parent: {} }, '[div element]'],
  ])('keeps %s', (_, value, expected) => {
    expect(plain(value)).toEqual(expected)
  })

  it('that is an error keeps type, message and stack', () => {
    expect(plain({ inner: new TypeError('x') }).inner).toEqual({
      type: 'TypeError',
      message: 'x',
      stack: expect.stringMatching(/^TypeError: x\n {4}at /),
    })
  })

  it('that holds itself is named where it comes again', () => {
    const loop: Record<string, unknown> = { name: 'loop' }
    loop.self = { list: [loop] }
    expect(plain(loop)).toEqual({ name: 'loop', self: { list: ['[circular]'] } })
    const shared = { a: 1 }
    expect(plain([shared, shared])).toEqual([shared, shared])
  })

  it.each(HOSTILE_VALUES)('never throws and is always JSON: $name', ({ make }) => {
    expect(() => plain(make())).not.toThrow()
    expect(() => JSON.parse(`{${new ValueEncoder().properties({ value: make() })}}`)).not.toThrow()
  })
})

describe('the bounds', () => {
  it('of depth name what is below', () => {
    let deep: unknown = 'bottom'
    for (let at = 0; at < 1_000; at++) deep = { deep }
    expect(new ValueEncoder().value(deep)).toBe(`${'{"deep":'.repeat(6)}"[Object]"${'}'.repeat(6)}`)
  })

  it('of lists count the rest', () => {
    const list = plain(Array.from({ length: 1_000_000 }, (_, at) => at))
    expect(list).toHaveLength(101)
    expect(list.at(-1)).toBe('… 999900 more')
  })

  it('of texts say how much was cut, each and in all', () => {
    expect(plain('x'.repeat(20_000))).toBe(`${'x'.repeat(16_384)}… (3616 more characters)`)
    const texts = plain(Array.from({ length: 50 }, () => 'y'.repeat(16_000)))
    expect(JSON.stringify(texts).length).toBeLessThan(70_000)
  })

  it('of attributes leave out the rest and count it', () => {
    const encoder = new ValueEncoder()
    const text = encoder.properties(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, at])))
    expect(Object.keys(JSON.parse(`{${text}}`))).toHaveLength(MAX_ATTRIBUTES)
    expect(encoder.leftOut).toBe(1_000 - MAX_ATTRIBUTES)
  })

  it('of keys hold for the whole path', () => {
    const key = 'k'.repeat(50)
    const nested = plain({ [key]: { [key]: { [key]: { [key]: 1 } } } })
    const paths = pathsOf(nested)
    expect(paths.every((path) => path.length <= 128)).toBe(true)
    expect(JSON.stringify(nested)).toContain('1')
    expect(pathsOf(plain({ ['é'.repeat(500)]: 1 })).every((path) => Buffer.byteLength(path) <= 128)).toBe(true)
  })
})

function pathsOf(value: unknown, above = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [above]
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, above === '' ? key : `${above}.${key}`))
}
