import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonProblems } from './json-problems.ts'

const pathsIn = (text: string) => jsonProblems(text).map(({ path }) => path)

describe('what of a JSON text cannot be taken as it is written', () => {
  it.each([
    ['{"a":1e400,"b":[1,-1e400,{"c":9007199254740993}]}', ['a', 'b.1', 'b.2.c']],
    ['9007199254740993', ['']],
    ['{"a":1e-400}', ['a']],
    ['{"__proto__":1,"a":{"__proto__":{"__proto__":2}}}', ['__proto__', 'a.__proto__', 'a.__proto__.__proto__']],
    ['{"\\u005f_proto__":1}', ['__proto__']],
    ['{"constructor":{"prototype":{"x":1}}}', ['constructor.prototype']],
  ])('%s', (text, paths) => {
    expect(pathsIn(text)).toEqual(paths)
  })

  it.each([
    '{"a":"1e400","1e400":1,"b":"__proto__","c":["__proto__"]}',
    '{"constructor":1,"prototype":{"constructor":{}},"toString":2,"hasOwnProperty":null}',
    '{"a":"\\"__proto__\\":1e400","b":"\\\\"}',
    '[9007199254740992,-0,1.5,1e23,true,false,null]',
    '""',
  ])('is nothing in %s', (text) => {
    expect(pathsIn(text)).toEqual([])
  })

  it('is nothing in any value that was written from doubles', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        // Names that are a problem themselves are made up now and then.
        fc.pre(!/"(__proto__|prototype)"/.test(text))
        return pathsIn(text).length === 0
      }),
    )
  })

  it('is named for the first few only, and however deep', () => {
    expect(pathsIn(`[${Array(50).fill('1e400').join(',')}]`)).toHaveLength(10)
    const deep = `${'{"a":'.repeat(50_000)}1e400${'}'.repeat(50_000)}`
    expect(pathsIn(deep)).toEqual([expect.stringMatching(/^(?:a\.)+a?$/)])
  })
})
