import { parseQuery } from '@tidemark/wire/query/parse'
import { quote } from '@tidemark/wire/query/print'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import { anyText } from '../../testing/any-text.ts'
import { logId } from '../schema/log-id.ts'
import { compileQuery } from './compile-query.ts'

function compile(text: string, options?: { prefix: string }) {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`)
  return compileQuery(parsed.query, options)
}

/** The condition with its values in place, to be read by a person. */
function shown(text: string): string {
  const { where, params } = compile(text)
  return where.replace(/\{(\w+):[^}]*\}/g, (_, name) => JSON.stringify(params[name]))
}

describe('a condition', () => {
  it('is true for the empty query', () => {
    expect(compile('')).toEqual({ where: '1', params: {}, slices: '', settings: {} })
  })

  it('has values as typed parameters, under names that can be told apart', () => {
    expect(compile('service:web took:>5', { prefix: 'other_' })).toMatchObject({
      where:
        "(service = {other_0:String} AND ifNull(isFinite(toFloat64OrNull(trim(BOTH '\"' FROM attributes[{other_1:String}]))) AND toFloat64OrNull(trim(BOTH '\"' FROM attributes[{other_1:String}])) > {other_2:Float64}, 0))",
      params: { other_0: 'web', other_1: 'took', other_2: 5 },
    })
    expect(() => compile('a', { prefix: 'x; DROP' })).toThrow(AppError)
  })

  it.each([
    ['Timeout', 'hasAllTokens(words, ["timeout"])'],
    ['"timeout"', 'hasAllTokens(words, ["timeout"])'],
    ['one two -three', '(hasAllTokens(words, ["one","two"]) AND NOT hasAllTokens(words, ["three"]))'],
    ['one OR message:two', 'hasAnyTokens(words, ["one","two"])'],
    ['http2', 'positionCaseInsensitiveUTF8(message, "http2") > 0'],
    ['user_id', 'positionCaseInsensitiveUTF8(message, "user_id") > 0'],
    ['größe', 'positionCaseInsensitiveUTF8(message, "größe") > 0'],
    [
      '"User 42 not_found größe"',
      '(hasAllTokens(words, ["user","not","found"]) AND positionCaseInsensitiveUTF8(message, "User 42 not_found größe") > 0)',
    ],
    ['100%*_x\\\\', 'message ILIKE "%100\\\\%%\\\\_x\\\\\\\\%"'],
    ['/a.b/', 'match(message, "a.b")'],
    ['message:""', "message = ''"],
    ['error.stack:Foo', 'positionCaseInsensitiveUTF8(error_stack, "Foo") > 0'],
    ['level:>=warn', 'toInt8(level) >= 4'],
    ['level:*n*', '(toInt8(level) = 3 OR toInt8(level) = 4)'],
    ['level:/^zz/', '0'],
    ['host:a*b', 'host LIKE "a%b"'],
    ['host:*a*', 'host LIKE "%a%"'],
    ['host:a*', 'startsWith(host, "a")'],
    ['host:*_b', 'endsWith(host, "_b")'],
    ['traceId:0AF7-65', 'trace_id IN ["0af7-65","0af765","0AF7-65"]'],
    ['traceId:Custom', 'trace_id IN ["Custom"]'],
    ['fingerprint:ffffffffffffffff', 'fingerprint = "18446744073709551615"'],
    ['has:fingerprint has:error.type has:level', "(fingerprint != 0 AND error_type != '' AND 1)"],
    ['has:user', 'mapContains(attributes, "user")'],
    ['user:bob', 'has(attribute_items, "user=bob")'],
    ['status:500', '(has(attribute_items, "status=\\"500\\"") OR has(attribute_items, "status=500"))'],
    ['status:5.0', '(has(attribute_items, "status=\\"5.0\\"") OR has(attribute_items, "status=5"))'],
    ['ok:true', '(has(attribute_items, "ok=\\"true\\"") OR has(attribute_items, "ok=true"))'],
    ['id:log_00000000-0000-7000-8000-000000000000', '(time = fromUnixTimestamp64Micro(0, \'UTC\') AND seq = "0")'],
    ['id:log_00000000-0000-4000-8000-000000000000', '0'],
    ['id:log_ffffffff-ffff-7000-8000-000000000000', '0'],
  ])('of %s', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('compares with the number in the unit that the field is in', () => {
    expect(compile('took_ns:>=1us').params).toEqual({ q0: 'took_ns', q1: 1000 })
  })

  it('finds a record by its id', () => {
    const id = logId({ timeUs: 1_767_323_045_123_456, sequence: { hi: 5, lo: 7 } })
    expect(compile(`id:${id}`).params).toEqual({ q0: 1_767_323_045_123_456, q1: String(5n * 2n ** 32n + 7n) })
  })

  it('checks the value itself where name and value could be split in two ways', () => {
    expect(shown('query:a=b')).toBe(
      '(has(attribute_items, "query=a=b") AND attributes["query"] = "a=b" AND mapContains(attributes, "query"))',
    )
  })
})

describe('a regular expression', () => {
  it.each([
    ['x /\\pQ/', 'The regular expression at characters 3 to 7 is not valid RE2: invalid character class range'],
    ['/(a{100}){11}/', 'is not valid RE2: invalid repeat count'],
    ['/((a{100}){100}){100}/', 'is too large. Use smaller repetitions.'],
    ['/a{1000}b{999}/', 'The regular expression at characters 1 to 15 is too large. Use smaller repetitions.'],
    [
      'level:/(?P<a>b)(?P<a>c)/',
      'is not valid RE2: duplicate capture group name. Correct it, or put the text in quotes.',
    ],
  ])('such as %s is refused in our words, with its place', (text, message) => {
    expect(() => compile(text)).toThrow(message)
    try {
      compile(text)
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request', fields: [{ path: 'query' }] })
    }
  })
})

describe('patterns', () => {
  const LONG = 'x'.repeat(80)

  it.each([
    [`/${'a'.repeat(250)}/ ${`OR /${'b'.repeat(250)}/ `.repeat(4)}`, 'characters 769 to 1020'],
    [`has:x ${`took:a*${'b'.repeat(240)}* `.repeat(5)}`, 'characters 1003 to 1250'],
  ])('that are too large together are refused, and the first that is too much is pointed at', (text, place) => {
    try {
      compile(text)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request', fields: [{ path: 'query' }] })
      expect((error as AppError).message).toContain(place)
      expect((error as AppError).message).toContain('Use fewer or shorter ones, or search for words.')
    }
  })

  it('that could take long look through slices of a few rows', () => {
    expect(compile(`/${LONG}/ host:/${LONG}/ path:*${LONG}*y`)).toMatchObject({
      where: expect.stringMatching(/^\(match\(sliced_message, .* AND match\(host, .* sliced_attributes\[.* LIKE /),
      slices: ' ARRAY JOIN [message] AS sliced_message, [attributes] AS sliced_attributes',
      settings: { max_block_size: '4' },
    })
    expect(compile('/a[ab]{990}c/').settings).toEqual({ max_block_size: '1' })
  })

  it.each(['/time(d )?out/', 'a*b*c', `*${LONG}*`, `path:${LONG}*`, `path:*${LONG}`, `host:/${LONG}/`])(
    'such as %s are asked as they are',
    (text) => {
      expect(compile(text)).toMatchObject({ slices: '', settings: {} })
    },
  )

  it('of as many plain stars as there may be terms are taken', () => {
    expect(compile('path:*/api/users/by/name/* '.repeat(50)).slices).toBe('')
  })
})

describe('the SQL', () => {
  const TOKENS = new RegExp(
    [
      String.raw`\{q\d+:(?:String|Array\((?:String|UInt64)\)|Float64|Int8|Int64|UInt64)\}`,
      String.raw`\b(?:AND|OR|NOT|IN|LIKE|ILIKE|BOTH|FROM|[01])\b`,
      String.raw`\b(?:hasAllTokens|hasAnyTokens|has|match|mapContains|positionCaseInsensitiveUTF8|ifNull|isFinite|toFloat64OrNull|trim|toInt8|if|startsWith|endsWith|isValidJSON|JSONExtractString|fromUnixTimestamp64Micro)\(`,
      String.raw`\b(?:sliced_)?(?:words|message|attributes|attribute_items|level|service|environment|host|logger|release|trace_id|span_id|pattern|fingerprint|time|seq|error_type|error_message|error_stack)\b`,
      `'UTC'|'"'|''`,
      String.raw`>=|<=|!=|[=<>(),[\]\s]`,
    ].join('|'),
    'g',
  )

  it('holds nothing of what was typed, whatever it is', () => {
    const MARK = 'zqx'
    const hostile = fc
      .oneof(
        fc.constantFrom("' OR 1=1 --", '\\', "\\' ; DROP TABLE logs", '{q0:String}', '%', '`', '\n\n', '\0', '"'),
        fc.string(),
        anyText(),
      )
      .map((text) => `${MARK}${text}${MARK}`)
    const bare = (text: string) => text.replace(/[\s()"\\:*]/g, (character) => `\\${character}`)
    const term = fc.oneof(
      hostile.map(quote),
      hostile.map(bare),
      hostile.map((text) => `*${bare(text)}*`),
      hostile.map((text) => `/${text.replace(/[^a-z]/g, '.')}/`),
      fc
        .tuple(fc.constantFrom('service', 'message', 'traceId', 'error.message', 'attr', '@level'), hostile)
        .map(([field, value]) => `${field}:(${quote(value)} OR ${bare(value)}*)`),
      hostile.map((name) => `${quote(name)}:5`),
      hostile.map((name) => `${quote(name)}:>5ms`),
      hostile.map((name) => `has:${quote(name)}`),
      fc.constantFrom(
        ...['level:>=warn', 'level:[info TO error}', 'pattern:00c0ffee00c0ffee', 'has:id'],
        'pattern:(00c0ffee00c0ffee OR 0000000000000001)',
      ),
    )
    const query = fc.array(fc.tuple(fc.constantFrom('', '-', 'NOT ', 'x OR '), term), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(query, (parts) => {
        const { where, params } = compile(parts.map((part) => part.join('')).join(' '))
        expect(where).not.toContain(MARK)
        expect(where.replace(TOKENS, '')).toBe('')
        const used = new Set([...where.matchAll(/\{(q\d+):/g)].map(([, name]) => name))
        expect(used).toEqual(new Set(Object.keys(params)))
      }),
      { numRuns: 500 },
    )
  })
})
