/**
 * OTLP requests in JSON as exporters write them and as nobody should: fields in any order, twice or of another type, values
 * of every kind, secrets, names of ours among the attributes, white space, and broken bytes. The same seed gives the same
 * requests.
 */
import { SEEDS } from '../../testing/seeded-secrets.ts'
import { LEVELS, MESSAGES, NAMES, Random } from './made-up-lines.ts'
import type { MadeUpRequest } from './made-up-otlp.ts'
import { RECEIVED_US } from './read-body.ts'

export function* madeUpOtlpJson(seed: number): Generator<MadeUpRequest, never> {
  const random = new Random(seed)
  for (;;) {
    let records = 0
    const groups = list(random, 3, () =>
      object(random, [
        ...(random.oneIn(6) ? [] : [`"resource":${resource(random)}`]),
        `"scopeLogs":${array(
          random,
          list(random, 3, () => {
            const some = list(random, 12, () => record(random))
            records += some.length
            return object(random, [...scope(random), `"logRecords":${array(random, some)}`, ...schema(random)])
          }),
        )}`,
        ...schema(random),
      ]),
    )
    const text = object(random, [`"resourceLogs":${array(random, groups)}`])
    const isBroken = random.oneIn(8)
    yield { bytes: isBroken ? broken(random, Buffer.from(text)) : Buffer.from(text), records, isBroken }
  }
}

const list = <Item>(random: Random, most: number, make: () => Item): Item[] =>
  Array.from({ length: 1 + random.below(most) }, make)

const space = (random: Random) =>
  random.oneIn(400) ? random.of([' ', '\n', '\t', '\r\n  ', random.oneIn(20) ? '\u000b' : '']) : ''

/** Its members at times in another order, twice, or with one that nobody knows. */
function object(random: Random, members: string[]): string {
  if (random.oneIn(400)) members.push(random.of(members.length === 0 ? ['"x":1'] : members))
  if (random.oneIn(400))
    members.push(random.of(['"x":1', '"schemaUrl":"u"', '"resourceLogs":[]', '"":{}', '"x":["]}"]']))
  if (random.oneIn(200) && members.length > 1) members.push(members.shift()!)
  return `{${space(random)}${members.join(`${space(random)},${space(random)}`)}${space(random)}}`
}

function array(random: Random, items: string[]): string {
  if (random.oneIn(600)) items.splice(random.below(items.length), 0, random.of(['null', '7', '"x"', '[]', '{}']))
  if (random.oneIn(600)) return random.of(['[]', 'null', '{}', '"x"'])
  return `[${space(random)}${items.join(`${space(random)},${space(random)}`)}${space(random)}]`
}

const schema = (random: Random) =>
  random.oneIn(5)
    ? [
        `"schemaUrl":${random.of(['""', '"https://x/1"', '"https://x/2"', random.oneIn(10) ? '"a\\n"' : '""', random.oneIn(10) ? '7' : '""'])}`,
      ]
    : []

function resource(random: Random): string {
  if (random.oneIn(50)) return random.of(['{}', 'null', '[]', '{"attributes":7}', '"x"'])
  const usual = [
    ['service.name', random.of(['cart', 'mail'])],
    ['deployment.environment.name', random.of(['production', 'staging'])],
    ['host.name', 'h-1'],
    ['service.version', '1.2.3'],
    ['process.pid', '4711'],
  ] as const
  const pairs = usual
    .filter(() => !random.oneIn(3))
    .map(([key, text]) => pair(random, key, `{"stringValue":"${text}"}`))
  const strange = random.oneIn(5) ? list(random, 3, () => attribute(random)) : []
  const members = [`"attributes":${array(random, [...pairs, ...strange])}`]
  if (random.oneIn(3)) members.push(`"droppedAttributesCount":${random.of(['0', '0', '3', '12', '300', '"1"', '1.5'])}`)
  return object(random, members)
}

function scope(random: Random): string[] {
  if (random.oneIn(4)) return []
  const members = [
    `"name":${random.of(['"app"', '"app"', '"app.cart"', '""', '"größe"', `"${'n'.repeat(300)}"`, '"password=hunter2hunter2"', '7'])}`,
  ]
  if (random.oneIn(3)) members.push(`"version":${random.of(['"1.0"', '"7"', '""', '"2.0.0-rc"', '"true"', '7'])}`)
  if (random.oneIn(5)) members.push(`"attributes":${array(random, [attribute(random)])}`)
  return [`"scope":${random.oneIn(50) ? random.of(['null', '{}', '7']) : object(random, members)}`]
}

const NANOS = BigInt(RECEIVED_US) * 1_000n
const TIMES = [
  '"0"',
  '""',
  '"1"',
  '"999"',
  '"1000"',
  '"00001767323045000000000"',
  '0',
  '1767323045000000000',
  '1e999',
  'null',
  '"x"',
  '"-5"',
  '"9999999999999999999"',
  '"99999999999999999999"',
  '"176732304500000000000"',
  `"${NANOS + 90_000_000_000_000n}"`,
  `"${NANOS}"`,
]

function record(random: Random): string {
  if (random.oneIn(80)) return random.of(['{}', '{"body":{}}', '{"body":null}', '{"attributes":[]}', 'null', '[]', '7'])
  const members = usualMembers(random)
  if (random.oneIn(3)) members[random.below(members.length)] = strangeMember(random)
  if (random.oneIn(6)) members.splice(random.below(members.length), 1)
  return object(random, members)
}

/** What nearly all records look like, so that the fast path has something to take. */
function usualMembers(random: Random): string[] {
  const [severity, word] = random.of([
    [9, 'INFO'],
    [9, ''],
    [13, 'WARN'],
    [5, 'debug'],
    [1, 'Trace'],
    [0, ''],
  ] as const)
  return [
    `"timeUnixNano":"${NANOS - BigInt(random.below(1e9)) * 1_000n}"`,
    ...(random.oneIn(2) ? [`"observedTimeUnixNano":"${random.oneIn(4) ? 0n : NANOS}"`] : []),
    `"severityNumber":${severity}`,
    ...(word === '' && random.oneIn(2) ? [] : [`"severityText":"${word}"`]),
    `"body":{"stringValue":${JSON.stringify(random.of(MESSAGES.slice(0, 7)))}}`,
    `"attributes":${array(random, [
      pair(random, 'userId', `{"stringValue":"u-${random.below(1_000)}"}`),
      pair(random, 'http.status', `{"intValue":${random.of(['"200"', '"404"', '200', '"12345678901"'])}}`),
      ...list(random, 3, () => attribute(random)).slice(random.oneIn(3) ? 0 : 3),
    ])}`,
    ...(random.oneIn(2) ? ['"droppedAttributesCount":0', '"flags":1'] : []),
    ...(random.oneIn(3) ? [] : [`"traceId":"${hex(random, 32)}"`, `"spanId":"${hex(random, 16)}"`]),
    ...(random.oneIn(9) ? ['"eventName":""'] : []),
  ]
}

function strangeMember(random: Random): string {
  switch (random.below(11)) {
    case 0:
      return `"${random.of(['timeUnixNano', 'observedTimeUnixNano'])}":${random.of(TIMES)}`
    case 1:
      return `"severityNumber":${random.of(['0', '4', '16', '17', '24', '25', '127', '-1', '9.5', '1e1', '"9"', '"SEVERITY_NUMBER_INFO"', 'null', notJson(random, '09')])}`
    case 2:
      return `"severityText":${JSON.stringify(random.of([...LEVELS, '', 'Information', 'information ', 'a\\b']))}`
    case 3:
    case 4:
      return `"body":${value(random, 0)}`
    case 5:
      return `"${random.of(['traceId', 'spanId'])}":${random.of(['""', `"${'0'.repeat(32)}"`, '"ABCD"', '"abcd"', '"q83vEg=="', '"q83vEqvN7xI="', `"${hex(random, 300)}"`, '"a-b"', '"abc "', '7', 'null'])}`
    case 6:
      return `"eventName":${random.of(['""', '"event.happened"', '7'])}`
    case 7:
      return `"droppedAttributesCount":${random.of(['0', '2', '12', '0.5', '"1"', notJson(random, '00')])}`
    case 8:
      return `"flags":${random.of(['0', '1', '257', '-1', '"1"', 'null', notJson(random, '1.')])}`
    case 9:
      return random.of([
        '"future":{"a":[1]}',
        '"time":"x"',
        '"bod\\u0079":{"stringValue":"x"}',
        '"body ":{"stringValue":"x"}',
      ])
    default:
      return `"attributes":${array(
        random,
        list(random, 4, () => attribute(random)),
      )}`
  }
}

const KEYS = [...NAMES, 'a"b', 'a\\b', 'a\nb', 'a\0b', 'otel.scope.version', 'trace_id', 'log.level', 'service.name']

function attribute(random: Random): string {
  if (random.oneIn(60))
    return random.of([
      '{}',
      '{"key":"a"}',
      '{"value":{"stringValue":"x"}}',
      '{"value":{"stringValue":"x"},"key":"b"}',
      'null',
      '{"key":7,"value":{"stringValue":"x"}}',
    ])
  return pair(random, random.of(KEYS), value(random, 0))
}

function pair(random: Random, key: string, written: string): string {
  const name = random.oneIn(150) ? `"${random.of(['\\u0061', 'a\\n', 'user\\u0049d'])}"` : JSON.stringify(key)
  return object(random, [`"key":${name}`, `"value":${written}`])
}

const NUMBERS = '0 -0 1 -7 12.5 0.1 1.10 1e3 1E400 0.0000001 123456789012345 1234567890123456 9007199254740993'.split(
  ' ',
)
const NO_NUMBERS = '01 1. - 12x'.split(' ')

/** Once in many times, because one such value refuses the whole request. */
function notJson(random: Random, written: string): string {
  return random.oneIn(30) ? written : '0'
}

const number = (random: Random) => (random.oneIn(60) ? random.of(NO_NUMBERS) : random.of(NUMBERS))

function value(random: Random, depth: number): string {
  switch (random.below(depth > 4 ? 6 : 12)) {
    case 0:
      return `{"boolValue":${random.of(['true', 'false', '"true"', '1', notJson(random, 'tru'), 'null'])}}`
    case 1:
      return `{"intValue":${random.oneIn(2) ? `"${random.of([...NUMBERS, ...NO_NUMBERS])}"` : number(random)}}`
    case 2:
      return `{"doubleValue":${random.oneIn(4) ? random.of(['"NaN"', '"Infinity"', '"1.5"', 'null']) : number(random)}}`
    case 3:
      return random.of([
        '{}',
        'null',
        '"x"',
        '{"bytesValue":"q83v"}',
        '{"stringValue":7}',
        '{"stringValue":"a","intValue":"1"}',
        '{"intValue":"1","stringValue":"a"}',
        '{"stringValue":"first","stringValue":"second"}',
        '{"stringvalue":"x"}',
        '{"stringValue ":"x"}',
      ])
    case 6:
      return `{"arrayValue":{"values":${array(
        random,
        list(random, 3, () => value(random, depth + 1)),
      )}}}`
    case 7:
      return `{"kvlistValue":{"values":${array(
        random,
        list(random, 3, () => pair(random, random.of(['message', 'a', 'password', '']), value(random, depth + 1))),
      )}}}`
    default:
      return `{"stringValue":${text(random)}}`
  }
}

function text(random: Random): string {
  switch (random.below(10)) {
    case 0: {
      const { secret, shapes } = random.of(SEEDS)
      return JSON.stringify(random.of(shapes)(secret()))
    }
    case 1:
      return `"${random.of(MESSAGES).replaceAll('"', "'")}${random.of(['\\n', '\\"', '\\u0000', '\\ud83d', '\\u00e4', random.oneIn(20) ? random.of(['\\x', '\t']) : '', '\\n    at f (a.js:1:2)\\n'])}"`
    case 2:
      return JSON.stringify(
        random.of(['{"password":"x","a":1}', '["a"]', '"quoted"', '-1 ', 'null', '', '12', '1.50', 'true']),
      )
    case 3:
      return JSON.stringify(
        random.oneIn(20) ? 'y'.repeat(random.of([16_500, 33_000, 66_000])) : 'n'.repeat(random.of([127, 128, 257])),
      )
    default:
      return JSON.stringify(random.of(MESSAGES))
  }
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random.of([...'00123456789abcdef'])).join('')
}

/** A byte is another one, missing, or there twice; or the rest is missing. */
function broken(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length)
  if (random.oneIn(4)) return bytes.subarray(0, at)
  const other = random.oneIn(4) ? Buffer.alloc(0) : Buffer.from([random.of([...Buffer.from('"\\{}[],: \n0a-')])])
  return Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at + random.below(2))])
}
