/** Bad uploads of a journal. None costs the service anything, and nothing that names the canary is stored. */
import { CANARY, type Keys } from './row.ts'

type BadJournal = {
  name: string
  status: number
  words: RegExp
  headers?: Record<string, string>
  body: string | Buffer
  key?: keyof Keys | null
}

const NOW = `__REALTIME_TIMESTAMP=${Date.now()}000\n`
const MESSAGE = `MESSAGE=${CANARY}\n`
const NOT_A_JOURNAL =
  /^The body is not in the journal export format: .* in entry 1\. Send what `journalctl -o export` writes\.\n$/
const NOT_STORED = /^0 of 1 entries are stored\. Entry 0: .*\.\n$/

function binary(name: string, length: bigint, value: string): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(length)
  return Buffer.concat([Buffer.from(`${name}\n`), size, Buffer.from(value)])
}

const refused = (name: string, body: string | Buffer): BadJournal => ({ name, status: 400, words: NOT_A_JOURNAL, body })
const passedOver = (name: string, body: string | Buffer): BadJournal => ({ name, status: 200, words: NOT_STORED, body })
const forbidden = (name: string, key: keyof Keys | null, status = 401): BadJournal => ({
  name,
  status,
  words: /key/,
  body: `${MESSAGE}\n`,
  key,
})

export const BAD_JOURNALS: BadJournal[] = [
  forbidden('no key', null),
  forbidden('an unknown key', 'unknown'),
  forbidden('a mistyped key', 'mistyped'),
  forbidden('a revoked key', 'revoked'),
  forbidden('an expired key', 'expired'),
  forbidden('a key of a deleted project', 'ofDeletedProject'),
  forbidden('a read key', 'read', 403),
  {
    name: 'another type',
    status: 415,
    words: /vnd\.fdo\.journal/,
    body: `${MESSAGE}\n`,
    headers: { 'content-type': 'application/json' },
  },
  {
    name: 'compression',
    status: 415,
    words: /without compression/,
    body: `${MESSAGE}\n`,
    headers: { 'content-encoding': 'gzip' },
  },
  { name: 'nothing', status: 200, words: /^0 entries are stored\.\n$/, body: '' },
  { name: 'a few empty lines', status: 200, words: /^0 entries are stored\.\n$/, body: '\n'.repeat(16) },
  refused('empty lines without end', '\n'.repeat(100_000)),
  refused('JSON', JSON.stringify({ MESSAGE: CANARY })),
  refused('text', `${CANARY} and more text that is no name of any field, in one line without an end mark\n`),
  refused('random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919 + at * at) & 0xff))),
  refused('a field that is cut off', MESSAGE.slice(0, -1)),
  refused('a length beyond the body', binary('MESSAGE', 1_000n, CANARY)),
  refused('a length that is too short', binary('MESSAGE', 3n, `${CANARY}\n\n`)),
  refused('a length of 2^63', binary('MESSAGE', 2n ** 63n, CANARY)),
  refused('a length of 2^64 - 1', binary('MESSAGE', 2n ** 64n - 1n, CANARY)),
  refused('a length of a terabyte', binary('MESSAGE', 2n ** 40n, CANARY)),
  refused('half a length', 'MESSAGE\n\x05\0\0'),
  refused('a large field without its end', binary('MESSAGE', 10_000_000n, CANARY.repeat(100_000))),
  refused('a line without end', 'x'.repeat(5_000_000)),
  refused('a name without end', `${'N'.repeat(1_000)}=${CANARY}\n\n`),
  passedOver('no message', `${NOW}PRIORITY=3\n\n`),
  passedOver('an empty message', `${NOW}MESSAGE=\n\n`),
  passedOver('a time that is none', `__REALTIME_TIMESTAMP=soon\n${MESSAGE}\n`),
  passedOver('a time below zero', `__REALTIME_TIMESTAMP=-5\n${MESSAGE}\n`),
  passedOver('a time of another century', `__REALTIME_TIMESTAMP=1\n${MESSAGE}\n`),
  passedOver('a time far ahead', `__REALTIME_TIMESTAMP=9999999999000000\n${MESSAGE}\n`),
  passedOver('an environment without end', `${NOW}${MESSAGE}ENVIRONMENT=${'e'.repeat(300)}\n\n`),
  passedOver('hundreds of fields', `${MESSAGE}${Array.from({ length: 300 }, (_, at) => `F${at}=1\n`).join('')}\n`),
  passedOver('thousands of fields', `${MESSAGE}${'A=1\n'.repeat(50_000)}\n`),
  passedOver('an entry without an end', `${MESSAGE}${'A=1\n'.repeat(2_000_000)}`),
  passedOver('a message that is too large', `${NOW}MESSAGE=${CANARY.repeat(100_000)}\n\n`),
  passedOver('fields that are too large together', `${MESSAGE}${`A=${'x'.repeat(100_000)}\n`.repeat(5)}\n`),
]
