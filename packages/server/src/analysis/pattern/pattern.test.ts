import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { cpuMsOf } from '../../testing/cpu-time.ts'
import { toBigInt } from './hash.ts'
import { boldPatternId, patternId, patternOf } from './pattern.ts'

const textOf = (message: string) => patternOf(message).text

/** Messages of one statement in a program, and what is left when their values are taken out. */
const MERGED: [rule: string, pattern: string, ...messages: string[]][] = [
  ['numbers', 'retry <*> of <*>', 'retry 1 of 5', 'retry -2 of +3.5e10', 'retry 10,000 of 0x1F'],
  [
    'quantities in any unit',
    'took <*> for <*>',
    'took 12ms for 3 KB',
    'took 1.5 seconds for 120 bytes',
    'took ~1 sec for 2.1GiB',
  ],
  [
    'ids',
    'order <*> stored',
    'order 6f1c2a9e-1b7d-4c11-9a3e-2f54c1d0aa10 stored',
    'order ord_9fK2 stored',
    'order deadbeefcafe stored',
  ],
  [
    'addresses',
    'peer <*> left',
    'peer 10.0.0.1:8443 left',
    'peer fe80::1:2 left',
    'peer db-3.prod.internal left',
    'peer localhost left',
    'peer 00:1B:44:11:3A:B7 left',
  ],
  ['hosts before a port', 'dial <*> failed', 'dial cache.shop.cluster:6379 failed', 'dial 10.1.1.1:6379 failed'],
  [
    'URLs and e-mail',
    'sent <*> to <*>',
    'sent https://a.example/x?y=1&z=2 to bob@example.com',
    'sent ftp://b.example to a.b+c@d.example',
  ],
  [
    'paths',
    'cannot open <*>: denied',
    'cannot open /var/log/a.log: denied',
    'cannot open ./conf/app.yaml: denied',
    'cannot open C:\\temp\\x: denied',
    'cannot open ../x: denied',
  ],
  [
    'dates',
    'expires <*>',
    'expires 2026-01-02T03:04:05.678Z',
    'expires Fri, 02 Jan 2026 03:04:05 GMT',
    'expires Jan 2 2026',
    'expires 03:04 PM',
  ],
  [
    'quantities and ids in quotes, pairs and JSON',
    '{"event":"paid","user":"<*>"} limit=<*> took "<*>"',
    '{"event":"paid","user":"u17"} limit=5 took "3 ms"',
    '{"event":"paid","user":"bob@example.com"} limit=0x1F took "1.5 s"',
  ],
  ['versions', 'found <*>', 'found 1.2.3-rc1', 'found 252.38-1~deb12u1', 'found 2.0+git3'],
  ['lists of values', 'shards [<*>] moved', 'shards [1, 2, 3] moved', 'shards [7] moved', 'shards [a1|b2] moved'],
  ['digits in scripts without blanks', '用户<*>登录', '用户123登录', '用户9登录'],
  ['white space', 'a b c', '  a   b\tc  ', 'a b c'],
]

test.each(MERGED)('%s: one pattern', (_, pattern, ...messages) => {
  for (const message of [...messages, pattern]) expect(textOf(message), message).toBe(pattern)
  expect(new Set(messages.map((message) => toBigInt(patternId(message)))).size).toBe(1)
})

/** What only a reader of all patterns can tell is left as it stands. */
const LEFT: [rule: string, ...messages: string[]][] = [
  ['the verb of a request', '"GET /x HTTP/1.1" done', '"POST /x HTTP/1.1" done'],
  ['one of two words after a key', 'cache=hit', 'cache=miss', 'cache='],
  ['truth', 'enabled: true', 'enabled: false', '"enabled":true', '"enabled":false'],
  ['quoted words', 'column "email" is missing', 'column "first name" is missing'],
  ['names of people', 'login refused for user alice', 'login refused for user bob'],
  ['names of hosts', 'no answer from db.internal', 'no answer from cache.internal'],
  ['lists of names', 'missing fields [name, email]', 'missing fields [zip]'],
]

test.each(LEFT)('%s: left', (_, ...messages) => {
  for (const message of messages) if (!/\d/.test(message)) expect(textOf(message)).toBe(message)
  expect(new Set(messages.map((message) => toBigInt(patternId(message)))).size).toBe(messages.length)
})

/** Messages whose bold reading is one, where a careful one keeps them apart. */
const BOLDLY_MERGED: [rule: string, ...messages: string[]][] = [
  ['quoted values', 'column "email" is missing', "column 'first name' is missing", 'column `a` is missing'],
  ['pairs', 'done user=alice ok=true in=5ms', 'done user= ok=no in="a b"'],
  ['spaced pairs', 'limit = 5, mode = fast', 'limit = none, mode = slow'],
  [
    'JSON',
    '{"event":"paid","user":"bob","total":12,"vip":true}',
    '{"event":"paid","user":"eve x","total":0.5,"vip":null}',
  ],
  ['lists of names', 'missing fields [name, email]', 'missing fields [zip, city, street]'],
  ['names of people', 'login refused for user alice', 'login refused for user bob'],
  ['names of hosts', 'no answer from db.internal', 'no answer from 10.0.0.1', 'no answer from localhost'],
]

test.each(BOLDLY_MERGED)('%s: one bold reading', (_, ...messages) => {
  expect(new Set(messages.map((message) => toBigInt(boldPatternId(message)))).size).toBe(1)
})

/** Messages that mean different things, however alike they look. */
const APART: [rule: string, ...messages: string[]][] = [
  ['opposites', 'client connected', 'client disconnected'],
  ['outcomes of a user', 'user created', 'user deleted', 'user not found', 'user unknown'],
  ['what a user did', 'user authentication failed', 'user registration failed'],
  ['what is waited for', 'waiting for data from 10.0.0.1', 'waiting for response from 10.0.0.1'],
  [
    'exception types',
    'java.io.IOException: closed',
    'java.lang.IllegalStateException: closed',
    'Http2Exception: closed',
    'Base64Error: closed',
  ],
  ['levels and methods', 'INFO GET /x', 'WARN GET /x', 'INFO POST /x'],
  ['states', 'job moved from NEW to RUNNING', 'job moved from RUNNING to DONE'],
  ['events of a kind', 'event=login user=bob', 'event=logout user=bob'],
  [
    'the message of a pair',
    'level=info msg="server started"',
    'level=info msg="server stopped"',
    'level=error msg="server stopped"',
  ],
  ['events in JSON', '{"event":"paid"}', '{"event":"refunded"}'],
  ['causes after a colon', 'open failed: No such file', 'open failed: Permission denied', 'open failed: null pointer'],
  ['protocols with a digit', 'bound ipv4 socket', 'bound ipv6 socket'],
  ['keys', 'size=1', 'count=1'],
  ['case', 'Machine check', 'machine check'],
  ['a value and none', 'retrying in 5 s', 'retrying'],
  ['packages and hosts', 'action com.acme.app.START', 'action com.acme.app.STOP'],
  ['ends of a sentence', 'done.', 'done'],
  ['the second line', 'failed\nread timed out', 'failed\nwrite timed out'],
  ['call and argument', 'Err(NotFound)', 'Err(Denied)'],
]

test.each(APART)('%s: apart', (_, ...messages) => {
  for (const read of [patternId, boldPatternId]) {
    expect(new Set(messages.map((message) => toBigInt(read(message)))).size, messages.map(textOf).join('\n')).toBe(
      messages.length,
    )
  }
})

describe('names with a digit that are constant', () => {
  test.each([
    ['HTTP/1.1 upgrade', 'HTTP/<*> upgrade'],
    ['sha256 of base64', 'sha256 of base64'],
    ['Main.java:12 reached', 'Main.java:<*> reached'],
    ["can't find child 7 in it's list", "can't find child <*> in it's list"],
    ['I/O error on read/write', 'I/O error on read/write'],
  ])('%s', (message, pattern) => expect(textOf(message)).toBe(pattern))
})

test('only the first two lines that are not blank count', () => {
  const two = textOf('\n\n failed\n\n  at once\n')
  expect(two).toBe('failed at once')
  expect(textOf('failed\nat once\nthird\nfourth')).toBe(two)
  expect(textOf('failed\r\nat once\r\nthird')).toBe(two)
})

test('only the first thousand characters count, and no word is cut in two', () => {
  const words = 'word '.repeat(199)
  expect(textOf(`${words}constant tail`)).toBe(words.trim())
  expect(textOf('x'.repeat(70_000))).toBe('x'.repeat(1000))
  expect(textOf(`x${'🌊'.repeat(1000)}`)).toBe(`x${'🌊'.repeat(499)}`)
})

test('an id stays the same for ever', () => {
  const ids = ['', 'server started', 'user 17 logged in', 'größe = 12', '用户123登录', '{"a":"b"}', 'a, b'].map(
    (message) => toBigInt(patternId(message)).toString(16),
  )
  expect(ids).toMatchInlineSnapshot(`
    [
      "9dd0cfb389d83785",
      "9d6d4fcbed1505cd",
      "9b305823b784afda",
      "da242b82d8aaa3af",
      "c85d896e364c92b5",
      "f02f83f064848503",
      "7c3d38af8e0d2e",
    ]
  `)
})

describe('any text', () => {
  const anyMessage = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'ab1 =:.,"\'/\\-<>[](){}\n@') }))

  test('has a pattern that is hardly longer than the text, and never throws', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        // A placeholder for every character, and one for the value that is missing after a last "=".
        expect(patternOf(message).text.length).toBeLessThanOrEqual(3 * Math.min(message.length, 1000) + 3)
      }),
      { numRuns: 2000 },
    )
  })

  test('has the same id with and without the pattern text, before and after other messages', () => {
    fc.assert(
      fc.property(anyMessage, anyMessage, (message, between) => {
        const first = patternId(message)
        patternId(between)
        expect(patternOf(message).id).toEqual(first)
      }),
      { numRuns: 1000 },
    )
  })

  test('has an id that says no more and no less than its pattern text', () => {
    const texts = new Map<bigint, string>()
    fc.assert(
      fc.property(anyMessage, (message) => {
        const { id, text } = patternOf(message)
        const known = texts.get(toBigInt(id)) ?? text
        texts.set(toBigInt(id), text)
        expect(text).toBe(known)
      }),
      { numRuns: 2000 },
    )
  })

  test('of 64 KiB is read in a few milliseconds, whatever it repeats', () => {
    for (const piece of [
      '"',
      "'",
      '[a,',
      'a=',
      '(',
      '1 ',
      ':',
      'a:',
      '::',
      'a.',
      '../',
      '\\',
      '@a',
      'ff:',
      '\n',
      ' ',
      '<',
      'a://',
      '用',
      'k="',
      '= ',
    ]) {
      const message = piece.repeat(65_536 / piece.length)
      patternId(message)
      expect(
        cpuMsOf(() => patternId(message)),
        piece,
      ).toBeLessThan(1_000)
    }
  })
})
