import { describe, expect, it } from 'vitest'
import { LEVEL_WORDS } from '../level.ts'
import { amountFor, parseAmount } from './amount.ts'
import { coreField, levelNamed } from './fields.ts'
import { MAX_QUERY_CHARACTERS } from './limits.ts'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'
import { checkFields } from './warnings.ts'

/** The canonical text, which shows how it was understood. */
function read(text: string): string {
  const parsed = parseQuery(text)
  return parsed.ok ? printQuery(parsed.query) : `${parsed.error.from}-${parsed.error.to}: ${parsed.error.message}`
}

/** So many patterns, as the values of a group. */
function hashes(count: number): string {
  return Array.from({ length: count }, (_, at) => at.toString(16).padStart(16, '0')).join(' OR ')
}

function rootOf(text: string) {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.query.root
}

function fieldTerm(text: string) {
  const root = rootOf(text)
  if (root?.kind !== 'field') throw new Error(`${text} is a ${root?.kind}`)
  return { field: root.field.name, match: root.match }
}

describe('a name that every object answers to', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s is an attribute and a word like any other',
    (name) => {
      expect(fieldTerm(`${name}:x`)).toMatchObject({ field: name })
      expect(rootOf(`${name}:x`)).toMatchObject({ field: { kind: 'attribute', name } })
      expect(rootOf(`@${name}:x`)).toMatchObject({ field: { kind: 'attribute', name } })
      expect(read(`has:${name}`)).toBe(`has:${name}`)
      expect(read(name)).toBe(name)
      expect(coreField(name)).toBeUndefined()
      expect(levelNamed(name)).toBeUndefined()
      expect(read(`level:${name}`)).toMatch(/^6-\d+: /)
      expect(parseAmount(`1${name}`)).toBeUndefined()
    },
  )
})

describe('a level', () => {
  it.each([...LEVEL_WORDS])('may be called %s as senders do, and means %s', (word, level) => {
    expect(levelNamed(word.toUpperCase())).toBe(level)
    expect(rootOf(`level:>=${word}`)).toMatchObject({ match: { bound: { level } } })
  })
})

describe('a query', () => {
  it('is empty when there is nothing but space in it', () => {
    expect(rootOf(' \n ')).toBeNull()
  })

  it('binds AND closer than OR and NOT closest', () => {
    expect(rootOf('a b OR NOT c d')).toMatchObject({
      kind: 'or',
      parts: [
        { kind: 'and', parts: [{ kind: 'text' }, { kind: 'text' }] },
        { kind: 'and', parts: [{ kind: 'not' }, { kind: 'text' }] },
      ],
    })
  })

  it.each([
    ['a AND b', 'a b'],
    ['(a (b c))', 'a b c'],
    ['a (b OR c)', 'a (b OR c)'],
    ['(a b) OR c', 'a b OR c'],
    ['NOT NOT a', 'a'],
    ['!service:web -host:x', '-service:web -host:x'],
    ['NOT (a b)', '-(a b)'],
    ['-(a OR b)', '-(a OR b)'],
    ['service:(api OR web)', 'service:(api OR web)'],
    ['service:api OR service:web', 'service:(api OR web)'],
    ['service:(api web -x)', 'service:api service:web -service:x'],
    ['service:(a:b OR http://c)', 'service:(a:b OR http://c)'],
    ['service:\\:x', 'service:\\:x'],
    ['status:(>=400 AND <500)', 'status:>=400 status:<500'],
    ['level:(WARNING OR err)', 'level:(warn OR error)'],
    ['env:prod trace_id:ABC Service.Name:x', 'environment:prod traceId:ABC service:x'],
    ['@http.status:500', 'http.status:500'],
    ['@level:7 has:@host', '@level:7 has:@host'],
    ['"odd name":x', '"odd name":x'],
    ['"level":x', '@level:x'],
    ['has:user.id field:*', 'has:user.id has:field'],
    ['has:(a OR b)', 'has:a OR has:b'],
    ['duration:[100 TO 500]', 'duration:[100 TO 500]'],
    ['duration:{ 1s TO 1.50m ]', 'duration:{1s TO 1.5m]'],
    ['duration:[* TO 5} duration:[5 TO *]', 'duration:<5 duration:>=5'],
    ['duration:[* TO *]', 'has:duration'],
    ['level:[info TO error}', 'level:[info TO error}'],
    ['size:>10KB took:<=2µs', 'size:>10kb took:<=2us'],
    ['release:1.** *web*', 'release:1.* *web*'],
    ['release:1\\.\\*', 'release:1.\\*'],
    ['/time(d )?out/ path:/^\\/api/', '/time(d )?out/ path:/^\\/api/'],
    ['fingerprint:00C0FFEE00C0FFEE', 'fingerprint:00c0ffee00c0ffee'],
    ['service:""', 'service:""'],
    ['temperature:<-5 temperature:-5', 'temperature:<-5 temperature:\\-5'],
  ])('reads %s as %s', (text, canonical) => {
    expect(read(text)).toBe(canonical)
    expect(read(canonical)).toBe(canonical)
  })

  it.each([
    ['12:30:45', '12:30:45'],
    ['http://host/path', 'http://host/path'],
    ['std::string', 'std::string'],
    ['/api/users', '/api/users'],
    ['/etc', '/etc'],
    ['key="a', 'key="a'],
    ['5"', '5"'],
    ['a-b', 'a-b'],
    ['>5', '>5'],
    ['\\AND', 'AND'],
    ['\\-x', '-x'],
    ['a\\ b', 'a b'],
  ])('takes %s for text', (text, value) => {
    expect(rootOf(text)).toMatchObject({ kind: 'text', match: { kind: 'literal', value, quoted: false } })
  })

  it('keeps backslashes inside quotes that escape nothing', () => {
    expect(rootOf('"C:\\temp \\"x\\" \\\\"')).toMatchObject({ match: { value: 'C:\\temp "x" \\', quoted: true } })
  })

  it('is printed without a group where the group would be too large', () => {
    const many = Array.from({ length: 21 }, (_, number) => `service:s${number}`).join(' OR ')
    expect(read(many)).toBe(many)
  })

  it('tells where each term stands', () => {
    const root = rootOf('ab service:web (c OR host:(x OR yy))')
    const spans: string[] = []
    JSON.stringify(root, (key, value) => {
      if (key === 'span') spans.push('ab service:web (c OR host:(x OR yy))'.slice(value.from, value.to))
      return value
    })
    expect(spans).toEqual(['ab', 'service:web', 'c', 'x', 'yy'])
  })

  it('reads numbers with units', () => {
    expect(fieldTerm('duration:>1.5s')).toMatchObject({
      field: 'duration',
      match: { kind: 'compare', comparison: '>', bound: { amount: { value: 1.5, unit: 's' } } },
    })
  })
})

describe('a number with a unit', () => {
  it.each([
    ['duration', '1.5s', 1500],
    ['duration_ms', '1.5s', 1500],
    ['took_ns', '2us', 2000],
    ['elapsedSeconds', '90m', 5400],
    ['http.request.duration.s', '500ms', 0.5],
    ['latencyMs', '1h', 3_600_000],
    ['status', '500', 500],
    ['size', '10kb', 10_000],
    ['size', '10KiB', 10_240],
  ])('is for %s:%s the number %d', (field, text, number) => {
    expect(amountFor(field, parseAmount(text)!)).toBeCloseTo(number, 9)
  })

  it.each(['', 's', '1x', '1.2.3', '0x10', '1e999', 'NaN', 'Infinity', '5constructor'])('is not %j', (text) => {
    expect(parseAmount(text)).toBeUndefined()
  })
})

describe('a mistake', () => {
  it.each([
    ['say "hello', 'The quote that opens at character 5 is not closed.', '"hello'],
    ['a (b OR c', 'The opening parenthesis at character 3 is not closed.', '('],
    ['foo:(', 'The opening parenthesis at character 5 is not closed.', '('],
    ['a (', 'The opening parenthesis at character 3 is not closed.', '('],
    ['a OR (b (', 'The opening parenthesis at character 9 is not closed.', '('],
    ['a) b', 'The closing parenthesis at character 2 has no opening one.', ')'],
    ['a OR', 'A term is missing at the end.', 'OR'],
    ['OR a', 'A term is missing before character 1.', 'OR'],
    ['a AND OR b', 'A term is missing before character 7.', 'OR'],
    ['()', 'The parentheses at character 1 are empty.', '()'],
    ['foo:()', 'The parentheses at character 5 are empty.', '()'],
    ['service:(a OR )', 'A value of service is missing before character 15.', ')'],
    ['service: web', 'There is no value directly after service:', 'service:'],
    ['a - b', 'There is nothing to exclude directly after character 3.', '-'],
    ['level:wran', '"wran" is not a level.', 'wran'],
    ['service:>5', 'service cannot be compared; only level and numeric attributes can.', '>5'],
    ['status:>=abc', '"abc" is not a number.', '>=abc'],
    ['status:> 5', 'A number is missing at character 9.', '>'],
    ['status:[5 TO', 'The range at character 8 is not complete.', '[5'],
    ['status:[9 TO 5]', 'The range at character 8 begins above its end.', '[9 TO 5]'],
    ['level:[error TO warn]', 'The range at character 7 begins above its end.', '[error TO warn]'],
    ['pattern:abc', 'pattern is 16 hexadecimal digits.', 'abc'],
    ['fingerprint:00*', 'fingerprint cannot be searched with wildcards.', '00*'],
    ['id:5', 'id is the id of a record, which begins with log_.', '5'],
    ['has:*', 'has: needs the name of a field (character 5).', '*'],
    ['""', 'The quotes at character 1 are empty.', '""'],
    [`/${'a'.repeat(257)}/`, 'A regular expression has at most 256 characters.', `/${'a'.repeat(257)}/`],
    [
      `message:${'*a'.repeat(1_500)}`,
      'The value at character 9 has 1,500 stars; at most 16 are allowed.',
      '*a'.repeat(1_500),
    ],
    [`x @any:${'b*'.repeat(17)}`, 'The value at character 8 has 17 stars; at most 16 are allowed.', 'b*'.repeat(17)],
    ['a /b(c/', 'The group that opens at character 5 is not closed.', '('],
    ['/b)c/', 'The ) at character 3 closes no group of the regular expression.', ')'],
    ['message:/a\\/b[c/', 'The [ at character 14 is not closed.', '['],
    ['-/x|*/', 'The * at character 5 has nothing to repeat.', '*'],
    ['/a{2}+/', 'The + at character 6 repeats a repetition.', '+'],
    ['/a{2,2000}/', 'The {2,2000} at character 3 repeats more than 1,000 times.', '{2,2000}'],
    ['/a{3,2}?/', 'The {3,2}? at character 3 begins above its end.', '{3,2}?'],
    ['/\\/(?<!a)b/', 'RE2 cannot look ahead or behind, as the group at character 4 does.', '(?<!'],
    ['/(?>a)/', 'RE2 has no group that begins as the one at character 2 does.', '(?>'],
    ['/(a)\\1/', 'RE2 has no references such as the \\1 at character 5.', '\\1'],
    ['/a\\Z/', 'The \\Z at character 3 means nothing in a regular expression.', '\\Z'],
    ['/[z-a]/', 'The range z-a at character 3 begins above its end.', 'z-a'],
    ['/[[:word:][:foo:]]/', 'RE2 has no class of the name [:foo:].', '[:foo:]'],
    ['a '.repeat(51), 'A query has at most 50 terms; this is one more.', 'a'],
    [`service:(${'a OR '.repeat(20)}b)`, 'A group has at most 20 values; this is one more.', 'b'],
    [`pattern:(${hashes(201)})`, 'A group has at most 200 values; this is one more.', '00000000000000c8'],
    [
      `${`service:(${'a '.repeat(17)}) `.repeat(2)} ${`-x:(${'a '.repeat(16)}) y`}`,
      'A query has at most 50 terms; this is one more.',
      'y',
    ],
    [`${'('.repeat(17)}a${')'.repeat(17)}`, 'Brackets and negations are nested more than 16 deep.', '('],
    [`${'-'.repeat(17)}a`, 'Brackets and negations are nested more than 16 deep.', '-'],
  ])('in %s is pointed at', (text, message, marked) => {
    const parsed = parseQuery(text)
    if (parsed.ok) throw new Error('it was accepted')
    expect(parsed.error.message).toBe(message)
    expect(text.slice(parsed.error.from, parsed.error.to)).toBe(marked)
    expect(parsed.error.hint).not.toBe('')
  })

  it('is not that there are many patterns: all of a group are one term', () => {
    const text = `${'a '.repeat(49)}pattern:(${hashes(190)})`
    expect(read(text)).toBe(text)
    expect(parseQuery(`b ${text}`)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('at most 50 terms') },
    })
  })

  it('is a query that is too long', () => {
    expect(parseQuery('a'.repeat(MAX_QUERY_CHARACTERS)).ok).toBe(true)
    const parsed = parseQuery('a'.repeat(MAX_QUERY_CHARACTERS + 1))
    expect(parsed).toMatchObject({ ok: false, error: { from: 4096, to: 4097 } })
  })

  it('comes with a way to mend it', () => {
    const hints = ['"a', 'service: web', 'level:wran', 'status:[9 TO 5]', 'a - b'].map((text) => {
      const parsed = parseQuery(text)
      return parsed.ok ? '' : parsed.error.hint
    })
    expect(hints).toMatchInlineSnapshot(`
      [
        "Add a quote where the phrase ends. A quote inside it is written \\".",
        "Write service:value, or quote it to search for text.",
        "Did you mean "warn"? Levels are trace, debug, info, warn, error, fatal.",
        "Swap the ends: [5 TO 9]",
        "Write what to exclude without a space, as in -service:web, or quote the sign: "-"",
      ]
    `)
  })
})

describe('a warning', () => {
  it('says that a small "or" is a word', () => {
    const parsed = parseQuery('a or b')
    expect(parsed.ok && parsed.warnings).toEqual([
      {
        from: 2,
        to: 4,
        message: '"or" in small letters is searched as a word. Write OR to combine terms.',
        suggestions: ['OR'],
      },
    ])
    const quoted = parseQuery('a "or" b')
    expect(quoted.ok && quoted.warnings).toEqual([])
  })

  it('names the nearest fields for one that no record has, once', () => {
    const parsed = parseQuery('http.statsu:500 status:1 servcie:x -http.statsu:501 user.id:5 level:error')
    const warnings = parsed.ok ? checkFields(parsed.query, ['http.status', 'user.id', 'http.method']) : []
    expect(warnings.map(({ message }) => message)).toEqual([
      'No record has a field "http.statsu". Did you mean "http.status"?',
      'No record has a field "status". Did you mean "http.status"?',
      'No record has a field "servcie". Did you mean "service"?',
    ])
  })
})
