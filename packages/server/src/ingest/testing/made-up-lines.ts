/**
 * Lines as senders write them and as nobody should: every name and form that ingest knows, values of every kind, secrets,
 * white space, repeated names and broken bytes. The same seed gives the same lines.
 */
import { FIELD_NAMES, SLOTS } from '@tidemark/wire/field-names'
import { SEEDS } from '../../testing/seeded-secrets.ts'

export function* madeUpLines(seed: number): Generator<Buffer, never> {
  const random = new Random(seed)
  for (;;) yield broken(random, Buffer.from(record(random)))
}

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0
  }
}

const ALIASES = SLOTS.flatMap((slot) => FIELD_NAMES[slot].flatMap(([, names]) => names.split(' ')))
const USUAL = [
  'timestamp',
  'level',
  'message',
  'service',
  'host',
  'environment',
  'release',
  'traceId',
  'spanId',
  'logger',
]
const OTHERS =
  'userId durationMs path http.status name pid hostname attributes projectApiKey password api_key token cookie x status __proto__ constructor 0 12 -1 1e3 a.b a Größe \u{1f600} error err stack'.split(
    ' ',
  )
export const NAMES = [...USUAL, ...USUAL, ...ALIASES, ...OTHERS, '', 'k'.repeat(127), 'k'.repeat(128), 'k'.repeat(129)]

const TIMES = [
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.678Z',
  '2026-01-01 23:59:59,123456789+01:00',
  '2026-01-02T03:04:05.678901-0530',
  '2026-01-02t03:04:05 +02',
  '2026-01-02T03:04:05+19:00',
  '2026-13-02T03:04:05Z',
  '2026-01-02T03:04:05Zx',
  '2026-01-02',
  '2019-01-02T03:04:05Z',
  '2027-01-02T03:04:05Z',
  '1767323045678',
  '20260102030405',
  'Jan  2 03:04:05',
  'now',
  '  2026-01-02T03:04:05Z ',
]
export const LEVELS = 'info INFO warn debug trace error fatal Notice 30 50 8 loud'.split(' ')
const NUMBERS =
  '0 -0 1 -7 12.5 0.1 1.10 1e3 1E400 0.000001 0.0000001 123456789012345 1234567890123456 9007199254740993 1767323045 1767323045678 30 200 01 1. -'.split(
    ' ',
  )
export const MESSAGES = [
  'GET /api/cart/81723 answered 200 in 12 ms for session 4bf92f3577b34da6',
  'cache miss for key item:5f1d7e2a:price, asked the catalog instead',
  'user 123456 logged in from 10.12.13.14 after 2 attempts',
  'order 17 placed: 3 items, 12.50 EUR, paid by card',
  'mail from bob@example.com to alice@example.com is 85% sent',
  'größe 3 für \u{1f600} übertragen',
  "thread 'main' panicked at 'boom', src/main.rs:4:5",
  "thread 'x'",
  '[1,2] is a list',
  '{"a":1}',
  '  \u00a0 indented',
  ' ',
  'true',
  '-12',
  '12 ms',
  '12 ',
  'x'.repeat(300),
  'ab '.repeat(400),
  '2026-01-02 03:04:05 WARN slow',
  'ERROR payment failed',
  'level=debug msg=slow',
  '[main] INFO größe',
]

function record(random: Random): string {
  if (random.oneIn(40)) return random.of(['', ' ', 'null', '7', '"text"', '[]', '[{"message":"m"}]', '{}', 'true', '{'])
  const members = Array.from({ length: 1 + random.below(6) }, () => member(random, random.of(NAMES), 0))
  if (!random.oneIn(6)) members.splice(random.below(members.length), 0, member(random, 'message', 0))
  const isStrange = random.oneIn(3)
  return (
    object(random, isStrange ? members : [...usualMembers(random), ...members.slice(0, random.below(3))]) +
    random.of(['', '', '', '', '', '', ' ', '\r', ' \t', random.oneIn(3) ? 'x' : ''])
  )
}

/** What nearly all records look like, so that the fast path has something to take. */
function usualMembers(random: Random): string[] {
  return [
    `"timestamp":"2026-01-0${1 + random.below(2)}T03:04:0${random.below(6)}.${random.below(1_000)}Z"`,
    `"level":"${random.oneIn(10) ? random.of(LEVELS) : random.of(['info', 'warn', 'debug'])}"`,
    `"service":"${random.of(['cart', 'mail'])}"`,
    `"message":${JSON.stringify(random.of(MESSAGES.slice(0, 7)))}`,
    `"attributes":${object(random, [`"userId":"u-${random.below(1_000)}"`, `"ms":${random.below(1_000)}`, `"http":{"status":200}`])}`,
  ]
}

function object(random: Random, members: readonly string[]): string {
  const space = () => (random.oneIn(150) ? random.of([' ', ' ', '  ', '\t', '\n']) : '')
  return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`
}

function member(random: Random, name: string, depth: number): string {
  const key = random.oneIn(60) ? `"${name}\\u0061"` : JSON.stringify(name)
  return `${key}${random.oneIn(15) ? ' : ' : ':'}${value(random, name, depth)}`
}

function value(random: Random, name: string, depth: number): string {
  const isTime = /time|date|ts|dt|@t/i.test(name) && !random.oneIn(4)
  if (isTime) return random.oneIn(3) ? random.of(NUMBERS) : JSON.stringify(random.of(TIMES))
  if (/level|severity|lvl|status/i.test(name) && !random.oneIn(4)) {
    return random.oneIn(3) ? random.of(NUMBERS) : JSON.stringify(random.of(LEVELS))
  }
  const kind = random.below(name === 'attributes' ? 3 : 16)
  if (kind < 3 && depth < 6) {
    const members = Array.from({ length: random.below(4) }, () => member(random, random.of(NAMES), depth + 1))
    return kind === 0 && name !== 'attributes' ? `[${members.map(() => random.of(NUMBERS))}]` : object(random, members)
  }
  if (kind < 5) return random.of(NUMBERS)
  if (kind < 6) return random.of(['true', 'false', 'null', 'nul', 'True', '""'])
  return text(random)
}

function text(random: Random): string {
  const kind = random.below(12)
  if (kind === 0) {
    const { secret, shapes } = random.of(SEEDS)
    return JSON.stringify(random.of(shapes)(secret()))
  }
  if (kind === 1)
    return `"${random.of(MESSAGES)}${random.of(['\\n', '\\"', '\\u0000', '\\ud83d', '\\u00e4', '\\x', '\t', '\u0000'])}"`
  if (kind === 2 && random.oneIn(20)) return JSON.stringify('y'.repeat(random.of([33_000, 66_000])))
  if (kind === 2)
    return JSON.stringify(random.of(['a', '4111 1111 1111 1111', 'n'.repeat(255), 'n'.repeat(256), 'ü'.repeat(200)]))
  if (kind === 3) return JSON.stringify(Array.from({ length: 32 }, () => random.of([...'0123456789abcdefg'])).join(''))
  return JSON.stringify(random.of(MESSAGES))
}

/** In one of twenty lines a byte is another one, missing, or there twice. */
function broken(random: Random, line: Buffer): Buffer {
  if (!random.oneIn(20) || line.length === 0) return line
  const at = random.below(line.length)
  const byte = random.of([...Buffer.from('"\\{}[],: \n0a-\u00e4'), 0, 0x7f])
  return Buffer.concat([
    line.subarray(0, at),
    random.oneIn(3) ? Buffer.alloc(0) : Buffer.from([byte]),
    line.subarray(at + random.below(2)),
  ])
}
