import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { unpackMap } from './compact-map.ts'
import { MAX_GENERATED_LINES, MAX_NAMES, MAX_SECTIONS, MAX_SOURCES, MAX_VALUES } from './limits.ts'
import { readMap } from './read-map.ts'
import { mapBytes, mappingsOf, type Segment, vlq } from './testing/written-map.ts'

function loaded(bytes: Uint8Array) {
  const { packed } = readMap(bytes)
  return unpackMap(packed.buffer as ArrayBuffer)
}

function refusal(bytes: Uint8Array): { code: string; message: string } {
  try {
    readMap(bytes)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('it was taken')
}

const damaged = (mappings: string) => refusal(mapBytes({ mappings, names: ['n'] }))

describe('a source map', () => {
  it('finds what stands at a position, or before it on the same line', () => {
    const map = loaded(
      mapBytes({
        sources: ['src/a.ts', 'src/b.ts'],
        names: ['pay', 'total'],
        mappings: mappingsOf([[[0, 0, 4, 2, 0], [10, 1, 8, 6], [20]], [], [[5, 0, 0, 0, 1]]]),
      }),
    )
    expect(map.find(1, 1)).toEqual({ source: 'src/a.ts', line: 5, column: 3, name: 'pay', isExact: true })
    expect(map.find(1, 10)).toMatchObject({ source: 'src/a.ts', isExact: false })
    expect(map.find(1, 15)).toEqual({ source: 'src/b.ts', line: 9, column: 7, name: '', isExact: false })
    expect(map.find(1, 21)).toBeNull()
    expect(map.find(2, 1)).toBeNull()
    expect(map.find(3, 5)).toBeNull()
    expect(map.find(3, 900)).toMatchObject({ source: 'src/a.ts', line: 1, name: 'total' })
  })

  it('has nothing at positions that no file has', () => {
    const map = loaded(mapBytes({ mappings: 'AAAA' }))
    for (const line of [0, -1, 2, 2 ** 40, Number.NaN, Number.POSITIVE_INFINITY]) expect(map.find(line, 1)).toBeNull()
    for (const column of [0, -5, Number.NaN]) expect(map.find(1, column)).toBeNull()
    expect(map.find(1, Number.MAX_SAFE_INTEGER)).toMatchObject({ line: 1 })
  })

  it('finds the same as looking at every mapping would', () => {
    const position = fc.nat({ max: 300 })
    const line = fc.array(fc.tuple(position, fc.nat({ max: 2 }), position, position, fc.nat({ max: 3 })), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), position, position, (lines, askedLine, column) => {
        const sorted = lines.map((one) => one.toSorted((a, b) => a[0] - b[0])) as Segment[][]
        fc.pre(sorted.some((one) => one.length > 0))
        const sources = ['a.ts', 'b.ts', 'c.ts']
        const names = ['n0', 'n1', 'n2', 'n3']
        const map = loaded(mapBytes({ sources, names, mappings: mappingsOf(sorted) }))
        const before = (sorted[askedLine] ?? []).filter(([generated]) => generated <= column)
        const last = before.at(-1)
        const found = map.find(askedLine + 1, column + 1)
        if (last === undefined) expect(found).toBeNull()
        else {
          expect(found).toEqual({
            source: sources[last[1]!],
            line: last[2]! + 1,
            column: last[3]! + 1,
            name: names[last[4]!],
            isExact: last[0] === column,
          })
        }
      }),
    )
  })

  it('may have columns that are out of order, which are put in order', () => {
    const map = loaded(mapBytes({ mappings: `${vlq(20)}AAA,${vlq(-15)}AEA` }))
    expect(map.find(1, 6)).toMatchObject({ line: 3, isExact: true })
    expect(map.find(1, 21)).toMatchObject({ line: 1, isExact: true })
  })

  it('may be made of sections, each at its offset', () => {
    const section = (line: number, column: number, source: string, name: string) => ({
      offset: { line, column },
      map: { version: 3, sources: [source], names: [name], mappings: 'AAAAA;AACA' },
    })
    const sections = [section(0, 0, 'a.ts', 'first'), section(1, 10, 'b.ts', 'second')]
    const map = loaded(Buffer.from(JSON.stringify({ version: 3, sections })))
    expect(map.find(1, 1)).toMatchObject({ source: 'a.ts', name: 'first', line: 1 })
    expect(map.find(2, 5)).toMatchObject({ source: 'a.ts', line: 2 })
    expect(map.find(2, 11)).toMatchObject({ source: 'b.ts', name: 'second', line: 1, isExact: true })
    expect(map.find(3, 1)).toMatchObject({ source: 'b.ts', line: 2 })
  })

  it('may begin with the guard that some servers put before JSON', () => {
    expect(readMap(Buffer.concat([Buffer.from(")]}'\n"), mapBytes({ mappings: 'AAAA' })])).mappings).toBe(1)
  })

  it('is the same bytes whenever it is read', () => {
    const bytes = mapBytes({ mappings: mappingsOf([[[0, 0, 1, 2]], [[3, 0, 4, 5]]]) })
    expect(readMap(bytes).packed).toEqual(readMap(bytes).packed)
  })
})

describe('a damaged or hostile source map is refused', () => {
  it.each([
    ['not JSON', Buffer.from('{"version":3,')],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['a list', Buffer.from('[]')],
    ['another version', mapBytes({ version: 2, mappings: 'AAAA' })],
    ['no mappings', mapBytes({})],
    ['mappings of another type', mapBytes({ mappings: ['AAAA'] })],
    ['empty mappings', mapBytes({ mappings: '' })],
    ['sources that are no list', mapBytes({ mappings: 'AAAA', sources: { length: 1 } })],
    ['names that are no list', mapBytes({ mappings: 'AAAA', names: 'n' })],
    ['a section without an offset', mapBytes({ sections: [{ map: {} }] })],
    ['a section at a negative line', mapBytes({ sections: [{ offset: { line: -1, column: 0 }, map: {} }] })],
    ['a section by its address', mapBytes({ sections: [{ offset: { line: 0, column: 0 }, url: 'x' }] })],
    [
      'sections in sections',
      mapBytes({ sections: [{ offset: { line: 0, column: 0 }, map: { version: 3, sections: [] } }] }),
    ],
    [
      'sections out of order',
      mapBytes({
        sections: [5, 1].map((line) => ({ offset: { line, column: 0 }, map: { mappings: 'AAAA', sources: ['a'] } })),
      }),
    ],
  ])('for %s', (_, bytes) => expect(refusal(bytes).code).toBe('invalid_request'))

  it.each([
    ['a character that is no digit', 'AA*A'],
    ['a character beyond ASCII', 'AAéA'],
    ['a number of eight digits', 'ggggggggA'],
    ['a number without an end', 'AAAg'],
    ['two numbers', 'AA'],
    ['three numbers', 'AAA'],
    ['six numbers', 'AAAAAA'],
    ['a negative column', `${vlq(-1)}AAA`],
    ['a negative source', `A${vlq(-1)}AA`],
    ['a source that there is not', 'ACAA'],
    ['a negative line', `AA${vlq(-1)}A`],
    ['a negative source column', `AAA${vlq(-1)}`],
    ['a name that there is not', 'AAAAC'],
    ['a column beyond 32 bits', `${vlq(0x7fffffff)}AAA,CAAA`],
    ['a line beyond 32 bits', `AA${vlq(0x7ffffffe)}A,AACA`],
    ['a number of seven digits that passes 32 bits', `AA${vlq(2 ** 33)}A`],
  ])('for %s in its mappings', (_, mappings) => expect(damaged(mappings).code).toBe('invalid_request'))

  it('for more lines, sources, names or sections than there may be', () => {
    const many = (count: number) => Array.from({ length: count }, () => 'x')
    const section = { offset: { line: 0, column: 0 }, map: { mappings: 'AAAA', sources: ['a'] } }
    for (const bytes of [
      mapBytes({ mappings: `${';'.repeat(MAX_GENERATED_LINES)}AAAA` }),
      mapBytes({ mappings: 'AAAA', sources: many(MAX_SOURCES + 1) }),
      mapBytes({ mappings: 'AAAA', names: many(MAX_NAMES + 1) }),
      mapBytes({ sections: Array.from({ length: MAX_SECTIONS + 1 }, () => section) }),
    ]) {
      expect(refusal(bytes)).toMatchObject({ code: 'body_too_large', message: expect.stringContaining('Split') })
    }
  })

  it('but not for empty lines and segments, which take no room', () => {
    const { packed, mappings } = readMap(mapBytes({ mappings: `AAAA${','.repeat(100_000)}${';'.repeat(3_000_000)}` }))
    expect(mappings).toBe(1)
    expect(packed.length).toBeLessThan(200)
  })

  it('but paths and names that are longer than any lead nowhere', () => {
    const long = 'a/'.repeat(2_000_000)
    const bytes = mapBytes({
      mappings: 'AAAAA,CCAAC',
      sources: [long, 'src/b.ts'],
      names: [long, 'pay'],
      sourceRoot: '',
    })
    expect(readMap(bytes).packed.length).toBeLessThan(300)
    const map = loaded(bytes)
    expect(map.find(1, 1)).toBeNull()
    expect(map.find(1, 2)).toMatchObject({ source: 'src/b.ts', name: 'pay' })
  })

  it('however deep its JSON is, and whatever its keys are called', () => {
    const deep = Buffer.from(`{"version":3,"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)
    expect(refusal(deep).code).toBe('invalid_request')
    const twice = Buffer.from(
      '{"version":3,"__proto__":{"mappings":"AAAA"},"mappings":"A","sources":[],"sources":["a.ts"]}',
    )
    expect(readMap(twice)).toMatchObject({ sources: 1, mappings: 1 })
    const inherited = Buffer.from('{"version":3,"sources":["a.ts"],"__proto__":{"mappings":"AAAA"}}')
    expect(refusal(inherited).code).toBe('invalid_request')
    expect(({} as Record<string, unknown>).mappings).toBeUndefined()
  })

  it('before it is parsed, when it nests deeper or holds more values than any bundler writes', () => {
    const nested = (levels: number) => Buffer.from(`{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`)
    expect(refusal(nested(31)).message).toContain('`version` is not 3')
    expect(refusal(nested(32)).message).toContain('nested deeper than 32 levels')
    // Not even JSON: only what looks at it before says so.
    const many = Buffer.from(`{"x":[${'0,'.repeat(MAX_VALUES)}`)
    expect(refusal(many)).toMatchObject({ code: 'body_too_large', message: expect.stringContaining('500000 values') })
  })
})
