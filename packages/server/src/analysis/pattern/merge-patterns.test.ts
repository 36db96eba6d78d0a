import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { mergePatterns } from './merge-patterns.ts'
import { patternOf } from './pattern.ts'

const PEOPLE = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']
/** Of several words, and of several lengths. */
const TEXTS = [
  'DNS tunnel',
  'port scan',
  'brute force login',
  'new local administrator',
  'canary touched',
  'Credential dumping by a service',
]
const PACKAGES = ['ca-certificates', 'libssl-dev', 'nginx', 'tzdata', 'vim-runtime', 'xml-core']

/** The texts after merging, most frequent first, as a reader sees them. */
const merged = (...messages: string[]) =>
  mergePatterns(messages.map((message) => ({ text: patternOf(message).text, count: 1 }))).map(({ text }) => text)

/** Messages of one statement in a program, and the pattern that they have together. */
const ONE: [rule: string, pattern: string, messages: string[]][] = [
  ['many words in one place', 'login refused for user <*>', PEOPLE.map((name) => `login refused for user ${name}`)],
  ['names in one place', 'unpacking <*> (<*>) ...', PACKAGES.map((name, i) => `unpacking ${name} (1.${i}) ...`)],
  [
    'two places that vary together',
    'unit <*> of host <*> failed to start',
    PACKAGES.map((name, i) => `unit ${name} of host ${PEOPLE[i]} failed to start`),
  ],
  [
    'values after keys',
    'session opened user=<*> tty=<*>',
    PEOPLE.map((name, i) => `session opened user=${name} tty=${PEOPLE[5 - i]}`),
  ],
  ['quoted words', 'column "<*>" does not exist', PEOPLE.map((name) => `column "${name}" does not exist`)],
  [
    'a word against a value',
    'synchronized to <*>, stratum <*>',
    ['10.1.1.1', 'clock.internal'].map((host) => `synchronized to ${host}, stratum 3`),
  ],
  [
    'a call against a value',
    'synchronized to <*>, stratum <*>',
    ['10.1.1.1', 'LOCAL(0)'].map((host) => `synchronized to ${host}, stratum 3`),
  ],
  [
    'an empty value against a filled one',
    'authentication failure; ruser=<*> rhost=<*>',
    ['authentication failure; ruser= rhost=10.0.0.1', 'authentication failure; ruser=root rhost=10.0.0.1'],
  ],
  [
    'lists of different length',
    'missing fields [<*>] in form',
    ['name', 'name, email', 'zip, city, street'].map((list) => `missing fields [${list}] in form`),
  ],
  [
    'repetitions of different length',
    'run with --install <*> --slave <*>',
    [1, 2, 3].map((times) => `run with --install /usr/bin/x 5${' --slave /usr/share/y 6'.repeat(times)}`),
  ],
  [
    'less than a quantity',
    'lifetime <*> of the socket',
    ['<1 sec', '5 sec'].map((time) => `lifetime ${time} of the socket`),
  ],
  [
    'a quantity said again in brackets',
    'closed, <*> sent, <*> received',
    ['closed, 12 bytes sent, 9 bytes received', 'closed, 4096 bytes (4 KB) sent, 9000 bytes (8.8 KB) received'],
  ],
  [
    'an object against nothing',
    'hold of lock <*> taken ws=<*>',
    ['null', 'Source{17}', 'Source{18 com.acme}'].map((source) => `hold of lock 7 taken ws=${source}`),
  ],
  [
    'many texts quoted in a sentence',
    'rule "<*>" matched on host <*>',
    TEXTS.map((text) => `rule "${text}" matched on host 7`),
  ],
  [
    'many texts after a key',
    'run by the scheduler of main, command=<*>',
    TEXTS.map((text) => `run by the scheduler of main, command=${text}`),
  ],
  [
    'lists of quoted names',
    '{"changed":[<*>],"form":<*>}',
    ['"name"', '"name","email"', '"zip","city","street"'].map((list) => `{"changed":[${list}],"form":17}`),
  ],
  [
    'nothing after a colon against a value',
    'endpoints of main changed: <*>',
    ['endpoints of main changed: 10.0.0.1:80, 10.0.0.2:80', 'endpoints of main changed:'],
  ],
  [
    'a dash against a value',
    '<*> "GET <*> HTTP/<*>" <*>',
    [
      '10.0.0.1 - alice "GET /x HTTP/1.1" 200 -',
      '10.0.0.1 - - "GET / HTTP/1.1" 200 17',
      '10.0.0.1 - - "GET /x HTTP/1.1" 304 -',
    ],
  ],
  [
    'a null against a quoted value',
    '{"event":"moved","from":"<*>","by":"risk"}',
    ['{"event":"moved","from":null,"by":"risk"}', '{"event":"moved","from":"a1","by":"risk"}'],
  ],
  [
    'a code with and without its name',
    'cannot open <*> [code = <*>]',
    ['cannot open /x [code = 0x80070005 - E_ACCESS_DENIED]', 'cannot open /x [code = 0x80240017]'],
  ],
  [
    'a path with and without a question',
    'purged <*> from the cache',
    ['purged www.example.com/a from the cache', 'purged www.example.com/a?q=red&page=3 from the cache'],
  ],
  [
    'names with a mark before them',
    'extracting archive <*>',
    ['extracting archive left-pad-1.3.0.tgz', 'extracting archive @acme/ui-2.0.1.tgz'],
  ],
  [
    'a quoted text against a value',
    'stored object "<*>" in bucket main',
    ['stored object "17" in bucket main', 'stored object "my holiday photos" in bucket main'],
  ],
]

test('texts that come back in several sentences are values there', () => {
  const messages = TEXTS.flatMap((text) => [`Starting ${text}...`, `Finished ${text}.`])
  expect(merged(...messages)).toEqual(['Finished <*>.', 'Starting <*>...'])
  expect(merged(...TEXTS.map((text) => `Starting ${text}...`))).toHaveLength(TEXTS.length)
})

test('a text that is a value elsewhere is one among few', () => {
  const known = TEXTS.map((text) => `rule "${text}" matched on host 7`)
  const few = TEXTS.slice(0, 2).map((text) => `rule "${text}" was switched off`)
  expect(merged(...known, ...few)).toContain('rule "<*>" was switched off')
  expect(merged(...few)).toEqual(few)
})

test.each(ONE)('%s: one pattern', (_, pattern, messages) => {
  expect(merged(...messages)).toEqual([pattern])
})

/** Messages that mean different things. */
const APART: [rule: string, ...messages: string[]][] = [
  ['two values of a place', 'cache=hit for key 1', 'cache=miss for key 1'],
  [
    'events under a key',
    ...['paid', 'left', 'joined', 'banned', 'billed'].map((event) => `{"event":"user.${event}","user":17,"total":3}`),
    ...['paid', 'left', 'joined', 'banned', 'billed'].map((event) => `level=info event=user.${event} user=17 total=3`),
  ],
  ['one flag', 'window shown top=true', 'window shown top=false'],
  [
    'flags together',
    ...['true', 'false'].flatMap((top) =>
      ['true', 'false'].flatMap((focus) =>
        ['true', 'false'].map((drawn) => `window shown top=${top} focus=${focus} drawn=${drawn}`),
      ),
    ),
  ],
  [
    'a handful of names',
    ...['north-hall', 'south-hall', 'annex', 'gate-west', 'cellar'].map((name) => `sensor of ${name} is warm`),
  ],
  [
    'pairs in brackets',
    'job <*> runs, needs={power=true, idle=false}',
    'job <*> runs, needs={power=false, idle=false}',
  ],
  [
    'verbs of a quoted request',
    ...['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'].map(
      (verb) => `upstream timed out, request: "${verb} <*> HTTP/<*>", host: "<*>"`,
    ),
  ],
  ['truth', 'replication enabled: true', 'replication enabled: false'],
  ['levels', 'level=info ready', 'level=warn ready', 'level=error ready'],
  [
    'what happened',
    ...['started', 'stopped', 'failed', 'reloaded', 'restarted', 'paused'].map((verb) => `unit 7 of main was ${verb}`),
  ],
  [
    'states',
    ...['NEW', 'READY', 'RUNNING', 'BLOCKED', 'DONE', 'FAILED'].map((state) => `task 7 is now in state ${state}`),
  ],
  [
    'verbs of a request',
    ...['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'].map((verb) => `"${verb} /x HTTP/1.1" took 5 ms`),
  ],
  [
    'causes after a colon',
    'open of /x failed: Permission denied',
    'open of /x failed: No such file or directory',
    'open of /x failed: Too many open files',
    'open of /x failed: Device busy',
  ],
  [
    'messages of a logger',
    ...['server started', 'cache cleared', 'worker joined', 'queue drained', 'index rebuilt', 'lease lost'].map(
      (text) => `level=info msg="${text}" pid=7`,
    ),
  ],
  ['words without a sentence', ...PEOPLE],
  ['interfaces', 'link of eth up', 'link of wlan up'],
]

test.each(APART)('%s: apart', (_, ...messages) => {
  expect(merged(...messages).sort()).toEqual([...new Set(messages.map((message) => patternOf(message).text))].sort())
})

test('a word that is a value in one place counts as one in another', () => {
  const known = [...PACKAGES, 'perl'].map((name) => `unpacking ${name} now`)
  const few = ['nginx', 'tzdata', 'perl'].map((name) => `purging files of ${name} at last`)
  expect(merged(...few)).toHaveLength(3)
  expect(merged(...known, ...few)).toEqual(['unpacking <*> now', 'purging files of <*> at last'])
})

test('counts add up, members are indexes, and the most frequent comes first', () => {
  const templates = [
    { text: 'server started', count: 3 },
    ...PEOPLE.map((name, i) => ({ text: `login refused for user ${name}`, count: i + 1 })),
    { text: 'a server stopped', count: 3 },
  ]
  expect(mergePatterns(templates)).toEqual([
    { text: 'login refused for user <*>', count: 21, members: [1, 2, 3, 4, 5, 6] },
    { text: 'a server stopped', count: 3, members: [7] },
    { text: 'server started', count: 3, members: [0] },
  ])
})

test('nothing gives nothing, one stays as it is, and the same twice is one', () => {
  expect(mergePatterns([])).toEqual([])
  expect(mergePatterns([{ text: 'a  <*>,<*>', count: 2 }])).toEqual([{ text: 'a  <*>,<*>', count: 2, members: [0] }])
  expect(
    mergePatterns([
      { text: 'a b', count: 2 },
      { text: 'a b', count: 1 },
    ]),
  ).toEqual([{ text: 'a b', count: 3, members: [0, 1] }])
  expect(mergePatterns([{ text: '', count: 1 }])).toEqual([{ text: '', count: 1, members: [0] }])
})

describe('any templates', () => {
  const word = fc.constantFrom(
    'a',
    'b',
    'c',
    'user',
    'failed',
    'RUNNING',
    'x-y',
    'is',
    '<*>',
    '[p, q]',
    '(',
    ')',
    '"',
    'k=',
    'k=v',
    ':',
    ',',
  )
  const template = fc.record({
    text: fc.oneof(
      { weight: 4, arbitrary: fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')) },
      { weight: 1, arbitrary: anyText() },
    ),
    count: fc.nat(1000),
  })
  const templates = fc.array(template, { maxLength: 60 })

  test('are each in exactly one group, and counts add up', () => {
    fc.assert(
      fc.property(templates, (all) => {
        const groups = mergePatterns(all)
        expect(groups.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual(all.map((_, i) => i))
        for (const { count, members } of groups) {
          expect(count).toBe(members.reduce((sum, i) => sum + all[i]!.count, 0))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('give the same groups in any order', () => {
    fc.assert(
      fc.property(
        templates.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(told(shuffled)).toEqual(told(all))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('that were merged are no more patterns when merged again', () => {
    fc.assert(
      fc.property(templates, (all) => {
        const once = mergePatterns(all)
        expect(mergePatterns(once).length).toBeLessThanOrEqual(once.length)
      }),
      { numRuns: 500 },
    )
  })

  const told = (all: readonly { text: string; count: number }[]) =>
    mergePatterns(all).map(({ text, count, members }) => ({ text, count, of: members.map((i) => all[i]!.text).sort() }))
})

test('a row of one pattern keeps its text, and merging it again changes nothing', () => {
  const once = mergePatterns(
    ONE.flatMap(([, , messages]) => messages).map((message) => ({ text: patternOf(message).text, count: 1 })),
  )
  expect(mergePatterns(once).map(({ text, count }) => ({ text, count }))).toEqual(
    once.map(({ text, count }) => ({ text, count })),
  )
})

test('patterns of many programs are merged as they are alone', () => {
  const others = APART.flatMap(([, ...messages]) => messages)
  const together = new Set(merged(...ONE.flatMap(([, , messages]) => messages), ...others))
  for (const [rule, pattern] of ONE) expect(together, rule).toContain(pattern)
  for (const other of others) expect(together).toContain(patternOf(other).text)
})

test('texts of 64 KiB and objects in JSON are merged too', () => {
  const long = 'word '.repeat(13_000)
  expect(merged(...PEOPLE.map((name) => `login refused for user ${name} ${long}`))).toHaveLength(1)
  expect(mergePatterns(['a', 'b'].map((end) => ({ text: long + end, count: 1 })))).toHaveLength(2)
  expect(merged(...PEOPLE.map((name) => `{"event":"user.paid","user":"${name}","total":12}`))).toEqual([
    '{"event":"user.paid","user":"<*>","total":<*>}',
  ])
  expect(merged('{"event":"user.paid","total":12}', '{"event":"user.left","total":12}')).toHaveLength(2)
})

test('hostile templates by the thousand take time in proportion to their length', () => {
  const hostile: ((i: number) => string)[] = [
    (i) => Array.from({ length: 200 }, (_, at) => (at === i % 200 ? 'x' : 'y')).join(' '),
    (i) => Array.from({ length: 100 }, (_, at) => ((i >> (at % 14)) & 1 ? 'a' : 'b')).join(' '),
    (i) => '<*>('.repeat(i % 300),
    (i) => `${'a=<*> '.repeat(i % 150)}${i % 7}`,
    (i) => `"${'["'.repeat(i % 400)}`,
    (i) => Array.from({ length: 250 }, (_, at) => (at === (i >> 2) % 250 ? `v${i % 4}` : 'c')).join(' '),
  ]
  const cost = (count: number, make: (i: number) => string) => {
    const templates = Array.from({ length: count }, (_, i) => ({ text: make(i), count: 1 }))
    const started = process.cpuUsage()
    mergePatterns(templates)
    return process.cpuUsage(started).user / 1e6
  }
  // A hundred times what it takes here: work that grows with the square would take hours.
  for (const make of hostile) expect(cost(4_000, make), make.toString()).toBeLessThan(60)
}, 120_000)
