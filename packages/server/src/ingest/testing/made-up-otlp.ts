/**
 * OTLP requests as exporters write them and as nobody should: fields in any order, twice or of another type, values of every
 * kind, secrets, names of ours among the attributes, and broken bytes. The same seed gives the same requests.
 */
import { SEEDS } from '../../testing/seeded-secrets.ts'
import { LEVELS, MESSAGES, NAMES, Random } from './made-up-lines.ts'
import * as otlp from './otlp-bytes.ts'
import { RECEIVED_US } from './read-body.ts'

export type MadeUpRequest = { bytes: Buffer; records: number; isBroken: boolean }

export function* madeUpOtlp(seed: number): Generator<MadeUpRequest, never> {
  const random = new Random(seed)
  for (;;) {
    let records = 0
    const groups = list(random, 3, () =>
      otlp.resourceLogs(
        ...shuffledAtTimes(random, [
          ...(random.oneIn(6) ? [] : [resource(random)]),
          ...(random.oneIn(30) ? [resource(random)] : []),
          ...list(random, 3, () => {
            const some = list(random, 12, () => record(random))
            records += some.length
            return otlp.scopeLogs(...shuffledAtTimes(random, [...scopes(random), ...some]))
          }),
        ]),
      ),
    )
    const bytes = Buffer.concat(groups)
    const isBroken = random.oneIn(8)
    yield { bytes: isBroken ? broken(random, bytes) : bytes, records, isBroken }
  }
}

const list = <Item>(random: Random, most: number, make: () => Item): Item[] =>
  Array.from({ length: 1 + random.below(most) }, make)

function shuffledAtTimes(random: Random, parts: Buffer[]): Buffer[] {
  if (!random.oneIn(12) || parts.length < 2) return parts
  const [moved] = parts.splice(random.below(parts.length), 1)
  parts.splice(random.below(parts.length + 1), 0, moved!)
  return parts
}

function resource(random: Random): Buffer {
  const usual = [
    ['service.name', random.of(['cart', 'mail'])],
    ['deployment.environment.name', random.of(['production', 'staging'])],
    ['host.name', 'h-1'],
    ['service.version', '1.2.3'],
    ['telemetry.sdk.language', 'go'],
    ['process.pid', '4711'],
  ] as const
  const pairs = usual.filter(() => !random.oneIn(3)).map(([key, value]) => otlp.pair(1, key, otlp.textValue(value)))
  const strange = random.oneIn(5) ? list(random, 3, () => attribute(random, 1)) : []
  return otlp.resource(...pairs, ...strange, ...(random.oneIn(30) ? [otlp.number(2, random.below(3))] : []))
}

function scopes(random: Random): Buffer[] {
  if (random.oneIn(4)) return []
  const parts = [otlp.part(1, random.of(['app.cart', 'lib', '', 'größe', 'n'.repeat(300), 'password=hunter2hunter2']))]
  if (random.oneIn(2)) parts[0] = otlp.part(1, 'app')
  if (random.oneIn(3)) parts.push(otlp.part(2, random.of(['1.0', '7', '', '2.0.0-rc', 'true'])))
  if (random.oneIn(5)) parts.push(attribute(random, 3))
  const one = otlp.scope(...shuffledAtTimes(random, parts))
  return random.oneIn(30) ? [one, otlp.scope(otlp.part(2, ''), otlp.part(1, 'other'))] : [one]
}

const NANOS = BigInt(RECEIVED_US) * 1_000n
const HOUR_NANOS = 3_600_000_000_000n
const TIMES = [0n, 1n, NANOS - 400n * 24n * HOUR_NANOS, NANOS + 25n * HOUR_NANOS, 2n ** 64n - 1n, NANOS - HOUR_NANOS]

function record(random: Random): Buffer {
  const parts = random.oneIn(4) ? list(random, 8, () => strangePart(random)) : usualParts(random)
  return otlp.record(...shuffledAtTimes(random, parts))
}

/** What nearly all records look like, so that the fast path has something to take. */
function usualParts(random: Random): Buffer[] {
  const [severity, word] = random.of([
    [9, 'INFO'],
    [9, ''],
    [13, 'WARN'],
    [5, 'debug'],
    [1, 'Trace'],
  ] as const)
  return [
    otlp.fixed64(1, NANOS - BigInt(random.below(1e9)) * 1_000n),
    ...(random.oneIn(2) ? [otlp.fixed64(11, NANOS)] : []),
    otlp.number(2, severity),
    ...(word === '' ? [] : [otlp.part(3, word)]),
    otlp.body(random.of(MESSAGES.slice(0, 7))),
    otlp.text('userId', `u-${random.below(1_000)}`),
    otlp.pair(6, 'http.status', otlp.number(3, random.of([200, 404, 12_345_678_901]))),
    ...list(random, 3, () => attribute(random, 6)).slice(random.oneIn(3) ? 0 : 3),
    ...(random.oneIn(2) ? [otlp.fixed32(8, 1)] : []),
    ...(random.oneIn(3) ? [] : [otlp.part(9, bytesOf(random, 16)), otlp.part(10, bytesOf(random, 8))]),
  ]
}

function strangePart(random: Random): Buffer {
  switch (random.below(14)) {
    case 0:
      return otlp.fixed64(random.of([1, 11]), random.of(TIMES))
    case 1:
      return otlp.number(2, random.of([0, 1, 4, 9, 16, 17, 24, 25, 127, 128, 300, -1]))
    case 2:
      return otlp.part(3, random.of([...LEVELS, '', 'Information', 'information ']))
    case 3:
    case 4:
    case 5:
      return otlp.part(5, value(random, 0))
    case 6:
      return otlp.part(random.of([9, 10]), random.of([Buffer.alloc(16), Buffer.alloc(0), bytesOf(random, 40)]))
    case 7:
      return otlp.part(random.of([9, 10]), bytesOf(random, random.below(20)))
    case 8:
      return otlp.part(12, random.of(['', 'event.happened']))
    case 9:
      return otlp.number(7, random.below(3))
    case 10:
      return random.of([otlp.part(99, 'future'), otlp.number(99, 7), otlp.part(1, 'x'), otlp.number(5, 3)])
    default:
      return attribute(random, 6)
  }
}

const KEYS = [...NAMES, 'a"b', 'a\\b', 'a\nb', 'a\0b', 'otel.scope.version', 'trace_id', 'log.level', 'service.name']

function attribute(random: Random, field: number): Buffer {
  const key = random.oneIn(60) ? Buffer.from([0x61, 0xff]) : random.of(KEYS)
  if (random.oneIn(40)) return otlp.part(field, otlp.part(2, value(random, 0)), otlp.part(1, key))
  if (random.oneIn(60)) return otlp.part(field, random.of([otlp.part(1, key), otlp.part(2, value(random, 0)), '']))
  return otlp.pair(field, key, value(random, 0))
}

/** An AnyValue without its tag. */
function value(random: Random, depth: number): Buffer {
  switch (random.below(20)) {
    case 0:
      return otlp.number(2, random.of([0, 1, 2, 2 ** 33]))
    case 1:
    case 2:
      return otlp.number(
        3,
        random.of([0, 7, -7, 2 ** 28 - 1, 2 ** 28, 2 ** 48, 2 ** 53 - 1, 2n ** 53n + 1n, 2n ** 62n]),
      )
    case 3:
    case 4:
      return otlp.double(4, random.of([0, -0, 0.1, 1e21, 1e-7, 12.5, -3, Number.NaN, Number.POSITIVE_INFINITY]))
    case 5:
      return depth > 4
        ? Buffer.alloc(0)
        : otlp.part(5, ...list(random, 3, () => otlp.part(1, value(random, depth + 1))))
    case 6:
      return depth > 4 ? Buffer.alloc(0) : otlp.part(6, ...list(random, 3, () => pairInside(random, depth + 1)))
    case 7:
      return otlp.part(7, bytesOf(random, 5))
    case 8:
      return Buffer.concat([
        otlp.textValue('first'),
        random.of([otlp.number(3, 1), otlp.textValue(''), otlp.part(9, 'x')]),
      ])
    case 9:
      return Buffer.alloc(0)
    default:
      return otlp.textValue(text(random))
  }
}

const pairInside = (random: Random, depth: number): Buffer =>
  otlp.part(1, otlp.part(1, random.of(['message', 'a', 'password', ''])), otlp.part(2, value(random, depth)))

function text(random: Random): Buffer | string {
  switch (random.below(10)) {
    case 0: {
      const { secret, shapes } = random.of(SEEDS)
      return random.of(shapes)(secret())
    }
    case 1:
      return (
        random.of(MESSAGES) + random.of(['\n', '"', '\\', '\0', '\t', '\u00e4', '\u007f', '\n    at f (a.js:1:2)\n'])
      )
    case 2:
      return random.of([
        '{"password":"x","a":1}',
        '[{"token":"abc"}]',
        '{"a',
        '["a"]',
        '"quoted"',
        '"',
        '-1 ',
        'null',
        '',
      ])
    case 3:
      return random.of([
        Buffer.from([0x61, 0xff, 0x62]),
        Buffer.from([0xc3]),
        Buffer.from([0xed, 0xa0, 0x80]),
        '\ufeffx',
      ])
    case 4:
      return random.oneIn(20) ? 'y'.repeat(random.of([16_500, 33_000, 66_000])) : 'n'.repeat(random.of([127, 128, 257]))
    default:
      return random.of(MESSAGES)
  }
}

function bytesOf(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}

/** A byte is another one, missing, or there twice; or the rest is missing. */
function broken(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length)
  if (random.oneIn(4)) return bytes.subarray(0, at)
  const other = random.oneIn(4) ? Buffer.alloc(0) : Buffer.from([random.below(256)])
  return Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at + random.below(2))])
}
