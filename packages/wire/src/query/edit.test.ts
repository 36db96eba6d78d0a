import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTerm } from './edit.ts'
import { environmentOf } from './environment-of.ts'
import { fieldNamed } from './fields.ts'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'

const web = { field: fieldNamed('service'), value: 'web' }
const notWeb = { ...web, exclude: true }

describe('adding a term', () => {
  it.each([
    ['', web, 'service:web'],
    ['  ', notWeb, '-service:web'],
    ['timeout  "a b"', web, 'timeout  "a b" service:web'],
    ['a OR b', web, '(a OR b) service:web'],
    ['(a) OR (b)', web, '((a) OR (b)) service:web'],
    ['service:web', web, ''],
    ['x service:"web" y', web, 'x y'],
    ['-service:web x', web, 'x service:web'],
    ['service:web x', notWeb, 'x -service:web'],
    ['service:api', web, 'service:(api OR web)'],
    ['service:(api OR web)', web, 'service:api'],
    ['service:(api OR web)', notWeb, 'service:api -service:web'],
    ['-service:(api OR web)', notWeb, '-service:api'],
    ['-service:api', notWeb, '-service:api -service:web'],
    ['service:web OR x', web, '(service:web OR x) service:web'],
    ['say "open', web, 'say "open service:web'],
    ['', { field: fieldNamed('message id'), value: 'a b' }, '"message id":"a b"'],
    ['', { field: fieldNamed('path'), value: 'http://x/*' }, 'path:"http://x/*"'],
    ['level:error', { field: fieldNamed('level'), value: 'warn' }, 'level:(error OR warn)'],
    ['level:error', { field: fieldNamed('@level'), value: '7' }, 'level:error @level:7'],
    ['env:prod', { field: fieldNamed('environment'), value: 'prod' }, ''],
  ])('to %s', (text, edit, expected) => {
    expect(addTerm(text, edit)).toBe(expected)
  })

  it('twice gives the same query as before', () => {
    const before = fc.constantFrom('', 'a', 'a OR b', 'service:api', '-host:x "b c"', 'a (b OR c)')
    fc.assert(
      fc.property(before, fc.string({ minLength: 1 }), fc.boolean(), (text, value, exclude) => {
        const edit = { field: fieldNamed('user.name'), value, exclude }
        const twice = addTerm(addTerm(text, edit), edit)
        expect(canonical(twice)).toBe(canonical(text))
        expect(parseQuery(addTerm(text, edit)).ok).toBe(true)
      }),
    )
  })
})

describe('the environment part of a query', () => {
  const part = (text: string) => {
    const parsed = parseQuery(text)
    if (!parsed.ok) throw new Error(parsed.error.message)
    const { include, exclude, matches } = environmentOf(parsed.query)
    return { include, exclude, matches: ['prod', 'Prod', 'staging', 'dev'].filter(matches) }
  }

  it.each([
    ['', null, [], ['prod', 'Prod', 'staging', 'dev']],
    ['timeout service:web', null, [], ['prod', 'Prod', 'staging', 'dev']],
    ['environment:prod timeout', ['prod'], [], ['prod']],
    ['env:(prod OR dev) level:error', ['prod', 'dev'], [], ['prod', 'dev']],
    ['-environment:dev x', null, ['dev'], ['prod', 'Prod', 'staging']],
    ['-environment:(dev OR prod)', null, ['dev', 'prod'], ['Prod', 'staging']],
    ['environment:(prod OR dev) -environment:dev', ['prod', 'dev'], ['dev'], ['prod']],
    ['environment:(prod OR dev) environment:(dev OR staging)', ['dev'], [], ['dev']],
    ['environment:prod environment:dev', [], [], []],
    ['environment:*d', null, [], ['prod', 'Prod']],
    ['environment:prod OR timeout', null, [], ['prod', 'Prod', 'staging', 'dev']],
    ['(environment:prod x) OR (environment:dev y)', null, [], ['prod', 'Prod', 'staging', 'dev']],
    ['-(environment:prod timeout)', null, [], ['prod', 'Prod', 'staging', 'dev']],
    ['@environment:prod', null, [], ['prod', 'Prod', 'staging', 'dev']],
    ['environment:/^p/ x', null, [], ['prod', 'Prod', 'staging', 'dev']],
  ])('of %s', (text, include, exclude, matches) => {
    expect(part(text)).toEqual({ include, exclude, matches })
  })
})

function canonical(text: string): string {
  const parsed = parseQuery(text)
  return parsed.ok ? printQuery(parsed.query) : text
}
